import Foundation
import Secrets
import Testing

@Suite struct PasswordRulesTests {
  private static let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("seed/passwords/common.txt")

  private let rules: PasswordRules

  init() throws { rules = try PasswordRules(list: Self.list) }

  @Test func `eight characters are accepted and seven are not`() {
    #expect(rules.fault(in: "zu8kq2vx", of: []) == nil)
    #expect(rules.fault(in: "zu8kq2v", of: []) == .tooShort)
    #expect(rules.fault(in: "", of: []) == .tooShort)
  }

  @Test func `1,024 characters are accepted and one more is not`() {
    #expect(rules.fault(in: String(repeating: "é", count: 1_024), of: []) == nil)
    #expect(rules.fault(in: String(repeating: "é", count: 1_025), of: []) == .tooLong)
  }

  @Test func `a combining accent does not count as a separate character`() {
    #expect(rules.fault(in: String(repeating: "e\u{301}", count: 7), of: []) == .tooShort)
    #expect(rules.fault(in: String(repeating: "e\u{301}", count: 8), of: []) == nil)
  }

  @Test func `a phrase with spaces and no digits is accepted`() {
    #expect(rules.fault(in: "farol na costa ao anoitecer", of: []) == nil)
  }

  @Test(arguments: ["password", "PassWord", "12345678", "ｐａｓｓｗｏｒｄ", "qwertyuiop", "iloveyou"])
  func `a common password is refused in any spelling`(password: String) {
    #expect(rules.fault(in: password, of: []) == .tooCommon)
  }

  @Test func `the list has 3,000 otherwise valid entries, and the last is refused too`() throws {
    let lines = try String(contentsOf: Self.list, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 3_000)
    #expect(Set(lines.map { $0.lowercased() }).count == 3_000)
    #expect(lines.allSatisfy { $0.count >= PasswordRules.minLength })
    let last = try #require(lines.last)
    #expect(rules.fault(in: String(last), of: []) == .tooCommon)
    #expect(rules.fault(in: last + "~", of: []) == nil)
  }

  @Test(arguments: ["lanterna.azul", "Lanterna.Azul", "lanterna.azul@example.org", "FAROLEIRO9"])
  func `the account's own name or address is refused as a password`(password: String) {
    let names = ["faroleiro9", "lanterna.azul@example.org"]
    #expect(rules.fault(in: password, of: names) == .isOwnName)
    #expect(rules.fault(in: password + "~", of: names) == nil)
    #expect(rules.fault(in: password, of: ["somebody", "somebody@example.org"]) == nil)
  }

  @Test func `an empty or missing list is refused`() throws {
    let empty = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    // Not a file without bytes: Foundation leaks its buffer for such a file, which the sanitizer
    // reports.
    try Data("\n".utf8).write(to: empty)
    defer { try? FileManager.default.removeItem(at: empty) }
    #expect(throws: InvalidPasswordList.empty) { try PasswordRules(list: empty) }
    #expect(throws: (any Error).self) {
      try PasswordRules(list: empty.appendingPathExtension("absent"))
    }
  }
}
