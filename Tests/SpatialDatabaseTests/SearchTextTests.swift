import SpatialDatabase
import Testing

@Suite struct SearchTextTests {
  private func words(_ text: String) -> [String] {
    SearchText.indexed(text).unicodeScalars.split(separator: " ").map { String($0) }
  }

  @Test func `words separated by spaces stay unchanged`() {
    #expect(SearchText.indexed("Câmara de Évora, nº 5") == "Câmara de Évora, nº 5")
  }

  @Test(arguments: [
    ("駅前カメラ", ["駅", "前", "カ", "メ", "ラ"]), ("서울", ["서", "울"]),
    ("กล้อง", ["ก", "ล", "\u{E49}", "อ", "ง"]),
    ("A駅B", ["A", "駅", "B"]), ("𠮷野", ["𠮷", "野"]),
  ])
  func `scripts without spaces are split into characters`(text: String, expected: [String]) {
    #expect(
      words(text).map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
  }

  @Test func `splitting a split text changes nothing`() {
    let once = SearchText.indexed("東京 station")
    let twice = SearchText.indexed(once)
    #expect(once.split(separator: " ") == twice.split(separator: " "))
  }
}
