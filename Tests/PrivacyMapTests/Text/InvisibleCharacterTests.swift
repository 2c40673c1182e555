import PrivacyMap
import Testing

@Suite struct InvisibleCharacterTests {
  @Test(arguments: [
    "Gate\u{200B}", "\u{200B}Gate", "Ga\u{AD}te", "Ga\u{200C}te", "Ga\u{200D}te", "Ga\u{2060}te",
    "Ga\u{34F}te", "\u{3164}", "Ga\u{115F}te", "Ga\u{FFA0}te", "Ga\u{FE0F}te", "Ga\u{180E}te",
    "Ga\u{2800}te", "Ga\u{17B4}te", "Ga\u{E0041}te", "Ga\u{200E}te", "Gate 1\u{FE0F}",
    "Gate\u{200D}", "🚲\u{200D}Gate", "Ga\u{1D173}te", "Ga\u{2064}te",
  ])
  func `invisible characters are found and removed`(text: String) {
    #expect(InvisibleCharacters.areIn(text))
    let removed = InvisibleCharacters.removed(from: text)
    #expect(removed != nil && removed.map(InvisibleCharacters.areIn) == false)
    #expect(removed?.unicodeScalars.count == text.unicodeScalars.count - 1)
  }

  @Test(arguments: [
    "Gate", "", "Câmara de vigilância", "می\u{200C}خواهم", "क्\u{200D}ष", "क्\u{200C}ष",
    "Café ☕\u{FE0F}", "👩\u{200D}🚀 Space", "👩🏽\u{200D}🚀", "❤\u{FE0F}\u{200D}🔥",
    "1\u{FE0F}\u{20E3} Gate", "🇵🇹",
    "駅前カメラ", "a\u{301}", "two  words", "no\u{A0}break",
  ])
  func `invisible characters that scripts and emoji need are kept`(text: String) {
    #expect(!InvisibleCharacters.areIn(text))
    #expect(InvisibleCharacters.removed(from: text) == nil)
  }
}
