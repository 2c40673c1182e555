import PrivacyMap
import Testing
@testable import WrittenValues

@Suite struct BearingTests {
  @Test(arguments: [
    ("0", [0.0]), ("359.5", [359.5]), ("270°", [270]), ("13.75", [13.75]), ("-90", [270]),
    ("-195", [165]), ("-360", [0]), ("N", [0]), ("ne", [45]), ("WSW", [247.5]), ("south", [180]),
    ("north-east", [45]), ("0;90;180;270", [0, 90, 180, 270]), ("0;360", [0]),
    ("45, 180, 225, 270", [45, 180, 225, 270]), ("90,125,270", [90, 125, 270]),
    ("180,270", [180, 270]),
    ("-64;94", [296, 94]), ("260;;225", [260, 225]), ("275, 275", [275]), ("180;nw", [180, 315]),
  ])
  func `common notations of directions are read`(text: String, expected: [Double]) {
    let read = BearingText([text])

    #expect(read.bearings == expected)
    #expect(read.fieldOfView == nil)
    #expect(read.findings.isEmpty)
  }

  @Test(arguments: [
    ("Nord", 0.0), ("Südwest", 225), ("suedosten", 135), ("Nordost", 45), ("Norte", 0),
    ("sudeste", 135),
    ("Noroeste", 315), ("sureste", 135), ("sur", 180), ("nord-ouest", 315), ("sud-est", 135),
    ("Ovest", 270),
    ("noordoost", 45), ("zuiden", 180), ("Leste", 90), ("S\u{75}\u{308}d", 180),
  ])
  func `directions are read in seven languages`(text: String, expected: Double) {
    let read = BearingText([text])

    #expect(read.bearings == [expected])
    #expect(read.findings.isEmpty)
  }

  @Test(arguments: ["O", "NO", "SO", "nordsud", "ostwest", "norteste!"])
  func `letters and words with two meanings are no directions`(text: String) {
    #expect(BearingText([text]).bearings.isEmpty)
    #expect(BearingText([text]).findings.map(\.code) == ["not_a_direction"])
  }

  @Test(arguments: [
    ("90-180", 135.0, 90.0), ("338-23", 0.5, 45), ("315 - 45", 0, 90), ("350–10", 0, 20),
    ("180-360", 270, 180), ("-45-45", 0, 90),
  ])
  func `a range becomes its middle and its width`(text: String, middle: Double, width: Double) {
    let read = BearingText([text])

    #expect(read.bearings == [middle])
    #expect(read.fieldOfView == width)
    #expect(read.findings.isEmpty)
  }

  @Test func `a range of zero width is one direction`() {
    #expect(BearingText(["45-45"]).bearings == [45])
    #expect(BearingText(["45-45"]).fieldOfView == nil)
  }

  @Test func `a range over half a turn is accepted and flagged`() {
    let read = BearingText(["210 - 40"])

    #expect(read.bearings == [305])
    #expect(read.fieldOfView == 190)
    #expect(read.findings.map(\.code) == ["wide_view"])
    #expect(BearingText(["0-180"]).findings.isEmpty)
  }

  @Test(arguments: ["0-360", "0 - 360", "0 -360", "360-0"])
  func `a full circle has no bearing`(text: String) {
    #expect(BearingText([text]).bearings.isEmpty)
    #expect(BearingText([text]).fieldOfView == 360)
  }

  @Test func `several ranges of equal width share one field of view`() {
    let read = BearingText(["338-23;155-200"])

    #expect(read.bearings == [0.5, 177.5])
    #expect(read.fieldOfView == 45)
    #expect(BearingText(["0-45;90-180"]).fieldOfView == nil)
    #expect(BearingText(["0-45;90-180"]).findings.map(\.code) == ["several_fields_of_view"])
  }

  @Test(arguments: [
    "2020", "80200", "361", "-361", "forward", "both", "fixme", "variable", "nan", "inf", "0x10",
    "1e2", "11:00", "40https://example.org/kamera?id=S081",
  ])
  func `invalid directions are flagged and not guessed`(text: String) {
    let read = BearingText([text])

    #expect(read.bearings.isEmpty)
    #expect(read.findings.map(\.code) == ["not_a_direction"])
    #expect(!read.findings.contains { $0.detail.contains("example.org") })
  }

  @Test func `valid parts of a list are kept next to invalid ones`() {
    #expect(BearingText(["345;270:360"]).bearings == [345])
    #expect(BearingText(["345;270:360"]).findings.count == 1)
  }

  @Test func `a comma is a decimal sign only before a single digit`() {
    #expect(BearingText(["273,5"]).bearings == [273.5])
    #expect(BearingText(["273,5"]).findings.map(\.code) == ["decimal_comma"])
    #expect(BearingText(["270,90"]).bearings.isEmpty)
    #expect(BearingText(["270,90"]).findings.map(\.code) == ["unclear_comma"])
  }

  @Test func `the mapping defines the meaning of a lone 360`() {
    #expect(BearingText(["360"]).findings.map(\.code) == ["unclear_full_turn"])
    #expect(BearingText(["360"], fullTurn: .north).bearings == [0])
    #expect(BearingText(["360"], fullTurn: .allRound).fieldOfView == 360)
  }

  @Test func `the direction of traffic is accepted and flagged`() {
    #expect(BearingText(["SB"]).bearings == [180])
    #expect(BearingText(["northbound"]).bearings == [0])
    #expect(BearingText(["SB"]).findings.map(\.code) == ["direction_of_travel"])
  }

  @Test func `at most sixteen directions are accepted`() {
    let many = (0..<17).map { "\($0)" }.joined(separator: ";")

    #expect(BearingText([many]).bearings.count == 16)
    #expect(BearingText([many]).findings.map(\.code) == ["too_many_directions"])
  }
}

@Suite struct PlainNumberTests {
  @Test(arguments: [
    ("1", 1.0), ("-1.5", -1.5), ("+2", 2), (".5", 0.5), ("007", 7), ("-5e-05", -0.00005),
    ("1.25E+01", 12.5),
  ])
  func `a plain number is read`(text: String, expected: Double) {
    #expect(PlainNumber.read(text) == expected)
  }

  @Test(arguments: [
    "", "-", ".", "1.", "nan", "inf", "0x1", "1e3", "1,5", "1 5", "1.2.3", "--1", "1e", "e-5",
    "1e-",
    "1e-5.5", "1e-5e-5", "1e+999", "-", "1-5",
    String(repeating: "1", count: 41),
  ])
  func `anything that is not a plain number is refused`(text: String) {
    #expect(PlainNumber.read(text) == nil)
  }

  @Test(arguments: [
    ("20 m", 20.0), ("3", 3), ("2.5m", 2.5), ("184 ft", 56.0832), ("250 cm", 2.5),
    ("12 feet", 3.6576),
  ])
  func `a length is read with its unit`(text: String, expected: Double) throws {
    let metres = try #require(PlainNumber.metres(text, unit: "m", decimal: .point))
    #expect(abs(metres - expected) < 1e-9)
  }

  @Test func `a length with an unknown unit is refused`() {
    #expect(PlainNumber.metres("3 storeys", unit: "m", decimal: .point) == nil)
    #expect(PlainNumber.metres("2,5", unit: "m", decimal: .point) == nil)
    #expect(PlainNumber.metres("2,5", unit: "m", decimal: .comma) == 2.5)
    #expect(PlainNumber.metres("100", unit: "cm", decimal: .point) == 1)
  }

  @Test(arguments: [
    ("461.993.881", "thousands_dots"), ("4.621.068", "thousands_dots"), ("46,21", "decimal_comma"),
    ("46°12′", "not_a_coordinate"), ("NaN", "not_a_coordinate"), ("1e1", "not_a_coordinate"),
    ("0x2E", "not_a_coordinate"), ("", "not_a_coordinate"),
  ])
  func `an invalid coordinate states the reason`(text: String, code: String) {
    guard case .failure(let fault) = PlainNumber.coordinate(text) else {
      Issue.record("“\(text)” was taken for a coordinate")
      return
    }
    #expect(fault.code == code)
  }
}

@Suite struct DateTests {
  private func read(_ text: String, _ formats: String...) -> String? {
    let formats = formats.isEmpty ? DateFormat.iso : formats.compactMap(DateFormat.init)
    return formats.lazy.compactMap { $0.read(text, months: DateFormat.months) }.first?.text
  }

  @Test func `ISO dates may be as short as a year`() {
    #expect(read("2023-07-14") == "2023-07-14")
    #expect(read("2023-07") == "2023-07")
    #expect(read("2023") == "2023")
    #expect(read("2021-02-22T15:53:23.320Z") == "2021-02-22")
    #expect(read("2024-01-15 08:27:39.667900+00:00") == "2024-01-15")
    #expect(read("2023-7-14") == nil)
    #expect(read("20230714") == nil)
    #expect(read("2023-07-145") == nil)
  }

  @Test func `other formats are read by their pattern`() {
    #expect(read("1/8/2017", "M/d/yyyy") == "2017-01-08")
    #expect(read("01/18/2017", "M/d/yyyy") == "2017-01-18")
    #expect(read("15/01/2024", "dd/MM/yyyy") == "2024-01-15")
    #expect(read("October 27, 2017", "MMMM d, yyyy") == "2017-10-27")
    #expect(read("Oct. 27, 2017", "MMMM d, yyyy") == "2017-10-27")
    #expect(read("2021-12-16 00:00:00", "yyyy-MM-dd HH:mm:ss") == "2021-12-16")
    #expect(read("2015/04/11", "yyyy/MM/dd") == "2015-04-11")
  }

  @Test func `impossible dates and dates of another format have different codes`() {
    #expect(DateFormat.iso[0].read("2025-15-10", months: [])?.exists == false)
    #expect(DateFormat.iso[0].read("2025-02-29", months: [])?.exists == false)
    #expect(DateFormat.iso[0].read("2024-02-29", months: [])?.exists == true)
    #expect(DateFormat.iso[0].read("29.02.2024", months: []) == nil)
  }

  @Test func `a pattern without a year or with unknown letters is refused`() {
    #expect(DateFormat("MM-dd") == nil)
    #expect(DateFormat("yyyy-QQ") == nil)
    #expect(DateFormat("yyy") == nil)
  }
}

@Suite struct CleanTextTests {
  private func clean(_ text: String, limit: Int = 100, lines: Bool = false) -> CleanText {
    CleanText(text, limit: limit, lines: lines)
  }

  @Test func `plain text stays unchanged`() {
    #expect(clean("Nei e Solei").text == "Nei e Solei")
    #expect(clean("دوربین و دزدگیر -قاضی").text == "دوربین و دزدگیر -قاضی")
    #expect(clean("Crazy bicycle crossing 🇳🇱").text == "Crazy bicycle crossing 🇳🇱")
    #expect(clean("Crazy bicycle crossing 🇳🇱").findings == [])
  }

  @Test(arguments: [
    "Ga\u{200B}te", "Ga\u{34F}te", "Ga\u{3164}te", "Ga\u{200D}te", "Ga\u{2800}te", "Gate\u{FE0F}",
  ])
  func `invisible characters are removed from a line and flagged`(text: String) {
    #expect(clean(text).text == "Gate")
    #expect(clean(text).findings == .invisible)
    #expect(clean("Café ☕\u{FE0F}").findings == [])
  }

  @Test func `spaces are trimmed and collapsed, and line breaks kept where allowed`() {
    #expect(clean("  a \t b\r\n c  ").text == "a b c")
    #expect(clean("a\r\nb", lines: true).text == "a\nb")
    #expect(clean("a\u{A0}b").text == "a b")
  }

  @Test(arguments: [
    "\u{0}", "\u{8}", "\u{9B}", "\u{202E}", "\u{2066}", "\u{200B}", "\u{FEFF}", "\u{E0041}",
  ])
  func `harmful invisible characters are removed`(scalar: String) {
    #expect(clean("a" + scalar + "b").text == "ab")
    #expect(clean("a" + scalar + "b").findings == .invisible)
  }

  @Test func `letters and combining marks are composed`() {
    #expect(Array(clean("e\u{301}").text.unicodeScalars).count == 1)
    #expect(Array(clean("ÅÅ").text.unicodeScalars).count == 2)
  }

  @Test func `text at its limit stays, longer text is cut at a whole character`() {
    #expect(clean(String(repeating: "a", count: 100)).findings == [])
    #expect(
      clean(String(repeating: "a", count: 101)).text == String(repeating: "a", count: 99) + "…")
    #expect(clean(String(repeating: "🇳🇱", count: 51)).text.unicodeScalars.count <= 100)
    #expect(clean(String(repeating: "🇳🇱", count: 51)).text.last == "…")
  }

  @Test func `text that was encoded twice is detected and repaired`() {
    #expect(clean("SÃ¼dwest").findings == .doubleEncoded)
    #expect(clean("Süd").findings == [])
    #expect(TextRepair.undoubled("SÃ¼dwest") == "Südwest")
    #expect(TextRepair.undoubled("Allee â€“ BrÃ¼cke") == "Allee – Brücke")
    #expect(TextRepair.undoubled("Süd") == nil)
    #expect(TextRepair.undoubled("Süd 🇩🇪") == nil)
    #expect(TextRepair.undoubled("Sud") == nil)
  }

  @Test func `a lost character is detected`() {
    #expect(clean("a\u{FFFD}b").findings == .damaged)
  }
}

@Suite struct ContactTextTests {
  @Test(arguments: [
    ("see https://example.org/cam now", "see … now"), ("www.example.org", ""),
    ("ask someone@example.org", "ask …"), ("call +49 30 5550100", "call …"),
    ("Tel. 030 5550100 or 7", "Tel. … or 7"), ("rtsp://user:secret@192.0.2.7/1", ""),
    ("192.0.2.7:8080", ""), ("on example.org/live", "on …"),
  ])
  func `addresses, phone numbers and logins are removed`(text: String, rest: String) {
    let found = ContactText.removing(from: text)

    if rest.isEmpty {
      #expect(found == "")
    } else {
      #expect(found?.hasPrefix(rest.prefix(3)) == true)
      #expect(found?.contains("example") == false)
      #expect(found?.contains("5550100") == false)
    }
  }

  @Test(arguments: [
    ("TEL 5550100", "TEL …"), ("Gate 12, telefone: 22 555 0100", "Gate 12, telefone: …"),
    ("phone 555-0100", "phone …"), ("Fax (0221) 5550100", "Fax (…"), ("Handy5550100", "Handy…"),
    ("mobile 5550100 at street 9", "mobile … at street 9"), ("call +\u{0663}5550100", "call …"),
    ("Câmara, tel. 5550100", "Câmara, tel. …"),
  ])
  func `telephone numbers are removed after every word for them`(text: String, rest: String) {
    #expect(ContactText.removing(from: text) == rest)
  }

  @Test(arguments: [
    "Device 1234567 at street 89", "Hotel 1234567", "Room 5550100, Handysize", "Faxe 5550100",
    "Gate+ 5550100", "1.5 m, 12.5 m and 5550100",
  ])
  func `a long number that follows no word for a telephone stays`(text: String) {
    #expect(ContactText.removing(from: text) == nil)
  }

  @Test(arguments: [
    "15 DEBEVOISE STREET", "Mount Pleasant/Westchester County", "US 29;GA 8", "E24-0418",
    "20/20 vision", "Straße des 17. Juni", "A8 @ AS 46", "+1", "v1.2.3", "Verizon 5G+ 2024", "",
  ])
  func `text that only resembles contact data stays`(text: String) {
    #expect(ContactText.removing(from: text) == nil)
  }
}
