import Testing

/// SQL is in stores. Routes contain parsing, permissions and responses.
@Suite struct StoreTests {
  private static let statements: [Substring] = ["SELECT", "INSERT", "UPDATE", "DELETE"]

  /// Whether a line, or a text in it, starts with a statement.
  private static func hasSQL(_ line: Substring) -> Bool {
    let code = line.drop { $0 == " " }
    guard !code.hasPrefix("//") else { return false }
    let pieces = code.split(separator: "\"", omittingEmptySubsequences: false)
    return pieces.enumerated().contains { place, piece in
      let isStart = place == 0 || !place.isMultiple(of: 2)
      return isStart && statements.contains { piece.hasPrefix($0 + " ") || code == $0 }
    }
  }

  @Test func `routes contain no SQL`() throws {
    for file in try Repository.files(in: "Sources", endingIn: ["Routes.swift"]) {
      for (number, line) in file.lines.enumerated() where Self.hasSQL(line) {
        Issue.record("\(file.path):\(number + 1) belongs in a store")
      }
    }
  }
}
