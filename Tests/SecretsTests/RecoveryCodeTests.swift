import Secrets
import Testing

@Suite struct RecoveryCodeTests {
  private static let alphabet = Set("0123456789abcdefghjkmnpqrstvwxyz")

  @Test func `ten different codes are created, each of two groups of five`() {
    let codes = RecoveryCode.make()
    #expect(codes.count == 10)
    #expect(Set(codes).count == 10)
    for code in codes {
      let groups = code.split(separator: "-")
      #expect(groups.map(\.count) == [5, 5])
      #expect(groups.joined().allSatisfy(Self.alphabet.contains))
    }
  }

  @Test func `the requested number of codes is created`() {
    #expect(RecoveryCode.make(count: 0).isEmpty)
    #expect(RecoveryCode.make(count: 3).count == 3)
  }

  @Test func `all 32 characters occur, which gives a code 50 bits`() {
    let used = Set(RecoveryCode.make(count: 500).joined()).subtracting(["-"])
    #expect(used == Self.alphabet)
  }

  @Test func `a code reads back as it was created`() {
    for code in RecoveryCode.make() { #expect(RecoveryCode.normalised(code) == code) }
  }

  @Test(arguments: [
    "a1b0c-d2e3f", "A1B0C-D2E3F", "a1b0cd2e3f", " a1b0c d2e3f\n", "a1b0c–d2e3f", "a-1-b-0-c-d2e3f",
    "alboc-d2e3f", "aIbOc−d2e3f", "a1b0c\u{A0}d2e3f",
  ])
  func `capitals, gaps and look-alike characters make no difference`(text: String) {
    #expect(RecoveryCode.normalised(text) == "a1b0c-d2e3f")
  }

  @Test(arguments: [
    "", "-", "a1b0c-d2e3", "a1b0c-d2e3fg", "a1b0c-d2e3u", "a1b0c_d2e3f", "a1b0c-d2e3é",
    "a1b0c-d2e3\u{212A}", "a1b0c-d2e3f\0",
  ])
  func `any other text is not a code`(text: String) {
    #expect(RecoveryCode.normalised(text) == nil)
  }
}
