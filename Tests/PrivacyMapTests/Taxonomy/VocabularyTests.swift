import PrivacyMap
import Testing

@Suite struct VocabularyTests {
  private let vocabulary = Vocabulary(
    categories: [
      .init(code: "camera", number: 3, isHousehold: false, staleMonths: 24, collects: ["video"]),
      .init(code: "toy", number: 1, isHousehold: true, staleMonths: 6, collects: []),
    ],
    terms: [
      "data": [
        .init(code: "visual", number: 0, parent: nil),
        .init(code: "video", number: 2, parent: "visual"),
        .init(code: "thermal", number: 31, parent: "video"),
        .init(code: "far", number: 32, parent: nil),
        .init(code: "loop", number: 5, parent: "loop"),
      ]
    ])

  @Test func `a code is found in its own scheme only`() {
    #expect(vocabulary.contains("camera", in: .categories))
    #expect(!vocabulary.contains("camera", in: .data))
    #expect(vocabulary.contains("video", in: .data))
    #expect(!vocabulary.contains("video", in: .choices))
    #expect(vocabulary.category("toy")?.isHousehold == true)
    #expect(vocabulary.categoryCode(number: 3) == "camera")
    #expect(vocabulary.categoryCode(number: 2) == nil)
  }

  @Test func `a term includes all narrower terms, and a cycle ends`() {
    #expect(vocabulary.withDescendants(of: "visual", in: .data) == ["visual", "video", "thermal"])
    #expect(vocabulary.withDescendants(of: "thermal", in: .data) == ["thermal"])
    #expect(vocabulary.withDescendants(of: "loop", in: .data) == ["loop"])
  }

  @Test func `bits are the positions of terms, of which there are thirty-two`() {
    #expect(vocabulary.bits(["visual", "thermal"], in: .data) == 1 | 1 << 31)
    #expect(vocabulary.bits(["far", "nothing"], in: .data) == 0)
  }

  @Test func `codes are stored once each, in the order of their scheme`() {
    #expect(
      vocabulary.canonical(["thermal", "zzz", "video", "visual", "video"], in: .data)
        == ["visual", "video", "thermal", "zzz"])
  }
}
