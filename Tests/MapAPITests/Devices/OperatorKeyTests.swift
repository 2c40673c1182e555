import PrivacyMap
import Testing

@testable import MapAPI

/// Two spellings of one name are one operator.
@Suite struct OperatorKeyTests {
  private func key(_ name: String) -> String {
    OperatorStore.key(Operator(name: name, kind: .public))
  }

  @Test(arguments: [
    ("City of Porto", "CITY  OF\tporto"), ("Câmara do Porto", "CAMARA do porto"),
    ("Acme", "Ａｃｍｅ"), ("Straße", "strasse"),
  ])
  func `case, marks, width and spaces do not part two names`(one: String, other: String) {
    #expect(key(one) == key(other))
  }

  @Test(arguments: [("Acme", "Acme 2"), ("AC ME", "ACME"), ("Łódź", "Lodz Town")])
  func `other words are another`(one: String, other: String) {
    #expect(key(one) != key(other))
  }

  @Test func `a kind or a contact parts them`() {
    let town = Operator(name: "Acme", kind: .public)
    #expect(OperatorStore.key(town) != OperatorStore.key(Operator(name: "Acme", kind: .company)))
    var reached = town
    reached.contact = "a@example.org"
    #expect(OperatorStore.key(town) != OperatorStore.key(reached))
  }
}
