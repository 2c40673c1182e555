import PrivacyMap
import Testing

@Suite struct CategoryWordsTests {
  private let vocabulary = Vocabulary(
    categories: [
      .init(
        code: "alpr", number: 1, isHousehold: false, staleMonths: 24, collects: [],
        names: [["number", "plate", "reader"], ["anpr"]]),
      .init(
        code: "fixed", number: 2, isHousehold: false, staleMonths: 24, collects: [],
        names: [["fixed", "camera"], ["cctv"], ["camera"]]),
      .init(
        code: "dome", number: 3, isHousehold: false, staleMonths: 24, collects: [],
        names: [["dome", "camera"], ["cctv"]]),
      .init(
        code: "kiosk", number: 4, isHousehold: false, staleMonths: 24, collects: [],
        names: [["street", "kiosk"]]),
    ], terms: [:])

  private func meaning(_ text: String) -> [[String]]? {
    CategoryWords(text.split(separator: " ").map(String.init), vocabulary)
      .map { [$0.categories, $0.others] }
  }

  @Test func `a name, an everyday name or most of a name means the category`() {
    #expect(meaning("anpr") == [["alpr"], []])
    #expect(meaning("number plate reader") == [["alpr"], []])
    #expect(meaning("plate number") == [["alpr"], []])
    #expect(meaning("cctv") == [["fixed", "dome"], []])
    #expect(meaning("dome camera") == [["dome"], []])
  }

  @Test func `half of a name or less means nothing`() {
    #expect(meaning("street") == nil)
    #expect(meaning("plate") == nil)
    #expect(meaning("") == nil)
  }

  @Test func `the last word may be incomplete from three letters on`() {
    #expect(meaning("cct") == [["fixed", "dome"], []])
    #expect(meaning("cc") == nil)
    #expect(meaning("number pla") == [["alpr"], []])
    #expect(meaning("num plate") == nil)
  }

  @Test func `other words stand before or after those of the category`() {
    #expect(meaning("cctv zurich") == [["fixed", "dome"], ["zurich"]])
    #expect(meaning("old town number plate") == [["alpr"], ["old", "town"]])
    #expect(meaning("old cctv town") == nil)
  }
}
