import Testing

/// Stores, JSON and routes do not know the engine of the database: they say what a read will ask (`ReadPlan`), and
/// `SpatialDatabase` decides what saves time.
@Suite struct EngineTests {
  /// Words that ask for the engine, or for what only one engine needs.
  private static let questions = [
    "isOnServer", "hasRoundTrips", "readAhead", "case .postgresql", "case .sqlite", "isAhead:",
  ]
  /// The engines themselves, and the command line, which chooses one.
  private static let below = ["Sources/SpatialDatabase/", "Sources/PostgreSQL/", "Sources/farol/"]

  @Test func `nothing above the database asks for its engine`() throws {
    var asked: [String] = []
    for file in try Repository.files(in: "Sources", endingIn: [".swift"])
    where !Self.below.contains(where: file.path.hasPrefix) {
      for (number, line) in file.lines.enumerated()
      where Self.questions.contains(where: { line.contains($0) }) {
        asked.append("\(file.path):\(number + 1)")
      }
    }
    #expect(asked == [])
  }

  @Test func `the words of the test still exist below`() throws {
    let text = try Repository.files(in: "Sources/SpatialDatabase", endingIn: [".swift"])
      .map(\.text).joined()
    for word in ["isOnServer", "readAhead", "case .postgresql", "case .sqlite"] {
      #expect(text.contains(word))
    }
  }
}
