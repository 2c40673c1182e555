@testable import Operators
import Testing

/// The normal form of operators' names.
@Suite struct OperatorNameTests {
  @Test(
    arguments: [
      ["Koko Chicken", "KOKO-Chicken", "koko  chicken", "Koko Chicken AG", "Koko Chicken, A.G."],
      ["McDonald's", "McDonald’s", "MCDONALDS Inc.", "McDonalds, Ltd"],
      ["H&M", "H & M", "h. m. AB"],
      ["Café Zürich", "CAFE ZURICH GmbH", "Cafe\u{301} Zu\u{308}rich GmbH & Co. KG"],
      ["Águas do Porto", "AGUAS DO PORTO, S.A.", "Aguas do Porto SA", "Águas do Porto S. A."],
      ["Silva & Filhos", "Silva & Filhos, Lda.", "Silva Filhos Unipessoal Lda"],
      ["Strasse Nord", "Straße Nord"],
      ["Generali", "Generali S.p.A."],
      ["東京電力", "東京電力 株式会社"],
      ["ＡＢＣ Security", "ABC Security"],
    ])
  func `spellings of one organisation have one normal form`(names: [String]) {
    let keys = Set(names.map { OperatorName($0)?.key ?? "" })
    #expect(keys.count == 1 && !keys.contains(""), "\(keys)")
  }

  @Test(
    arguments: [
      ("Koko Chicken", "Koko Kitchen"), ("Day Spa", "Day"),
      ("City of Porto", "City of Porto Alegre"),
      ("Department of AG", "Department"), ("Denver Police CO", "Denver Police"),
      ("Zone SE", "Zone"), ("АО Камера", "AO Kamepa"), ("दिल्ली", "दल्ल"),
    ])
  func `names of different organisations differ`(one: String, other: String) {
    #expect(OperatorName(one)?.key != OperatorName(other)?.key)
  }

  @Test func `a name that is only a legal form stays`() {
    #expect(OperatorName("AG")?.key == "ag")
    #expect(OperatorName("Ltd. Inc.")?.key == "ltd")
  }

  @Test func `a name without letters and digits has no normal form`() {
    for text in ["", "  ", "–", "?!", "…"] { #expect(OperatorName(text) == nil, "\(text)") }
  }

  @Test func `the spelling has all words`() {
    #expect(OperatorName("Koko Chicken AG")?.spelling == "koko-chicken-ag")
    #expect(OperatorName("A/B Security")?.spelling == OperatorName("A B Security")?.spelling)
  }

  /// Letters that become several, with the greatest number of them in a name.
  private static let longest = ["\u{FDFA}", "\u{3316}", "ß", "\u{FDFA} AG "].map {
    String(String(repeating: $0, count: 200).prefix(200))
  }

  @Test(arguments: longest)
  func `a normal form has a greatest length`(text: String) throws {
    let name = try #require(OperatorName(text))
    for form in [name.key, name.spelling] {
      #expect((1...OperatorName.maxLength).contains(form.unicodeScalars.count))
      #expect(OperatorName(form)?.spelling == form)
    }
  }

  @Test func `a normal form is the normal form of itself`() throws {
    for text in ["Koko Chicken AG", "S.A. Generali", "東京電力 株式会社", "Silva & Filhos, Lda."] {
      let name = try #require(OperatorName(text))
      #expect(OperatorName(name.key)?.key == name.key, "\(text)")
      #expect(OperatorName(name.spelling)?.spelling == name.spelling, "\(text)")
    }
  }
}
