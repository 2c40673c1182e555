@testable import Devices
import PrivacyMap
import Testing

/// Two spellings of one name are one operator.
@Suite struct OperatorKeyTests {
  private func key(_ name: String) -> String {
    OperatorStore.key(Operator(name: name, kind: .public))
  }

  @Test(arguments: [
    ("City of Porto", "CITY  OF\tporto"), ("Câmara do Porto", "CAMARA do porto"),
    ("Acme", "Ａｃｍｅ"), ("Straße", "strasse"),
  ])
  func `case, diacritics, width and spaces do not distinguish names`(one: String, other: String) {
    #expect(key(one) == key(other))
  }

  @Test(arguments: [("Acme", "Acme 2"), ("AC ME", "ACME"), ("Łódź", "Lodz Town")])
  func `different words are different operators`(one: String, other: String) {
    #expect(key(one) != key(other))
  }

  @Test func `a kind or a contact distinguishes operators`() {
    let town = Operator(name: "Acme", kind: .public)
    #expect(OperatorStore.key(town) != OperatorStore.key(Operator(name: "Acme", kind: .company)))
    var reached = town
    reached.contact = "a@example.org"
    #expect(OperatorStore.key(town) != OperatorStore.key(reached))
  }
}
