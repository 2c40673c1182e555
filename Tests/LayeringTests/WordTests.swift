import Testing

/// Identifiers use the words of the field.
@Suite struct WordTests {
  /// Parts of identifiers that are not used again, and what to write instead.
  private static let replaced: [(part: String, instead: String)] = [
    ("newcomer", "a pending connection, a pending listener or a new account"),
    ("farewell", "disconnected, or a cleanup"),
    ("patience", "timeout, or the name of the period"),
    ("haveSpoken", "areReadable"),
    ("desk", "the service, the workflow or the worker"),
    ("told", "reported, notified, or the name of what is reported"),
    ("teller", "what reports or notifies"),
  ]

  /// First words of identifiers for limits that are not used again: `mostRows` is `maxRows`.
  private static let limits = ["most": "max", "least": "min", "longest": "max", "fewest": "min"]

  /// Identifiers of the standard library, and words that contain a replaced one by chance.
  private static let permitted: Set<Substring> = ["leastNonzeroMagnitude", "desktop"]

  /// The words of the code of a line, without comments and texts.
  private static func identifiers(in line: Substring) -> [Substring] {
    guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return [] }
    // Names of tests are sentences between backticks.
    let code = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 0 }.map(\.element).joined(separator: " ")
    return code[...].split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 0 }
      .flatMap { $0.element.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }
      .filter { $0.first?.isNumber == false && !permitted.contains($0) }
  }

  /// The reason why an identifier is not used; nil if it may be.
  private static func objection(to name: Substring) -> String? {
    let lower = name.lowercased()
    if let found = replaced.first(where: { lower.contains($0.part.lowercased()) }) {
      return found.instead
    }
    if name == "most" { return "maximum" }
    let limit = limits.first { word, _ in
      name.hasPrefix(word) && name.dropFirst(word.count).first?.isUppercase == true
    }
    return limit.map { $0.value + name.dropFirst($0.key.count) }
  }

  @Test func `replaced words are not identifiers again`() throws {
    for folder in ["Sources", "Tests"] {
      for file in try Repository.files(in: folder, endingIn: [".swift"]) {
        var isText = false
        for (number, line) in file.lines.enumerated() {
          if line.contains("\"\"\"") { isText.toggle() }
          guard !isText else { continue }
          for name in Self.identifiers(in: line) {
            guard let instead = Self.objection(to: name) else { continue }
            Issue.record("\(file.path):\(number + 1): \(name), better \(instead)")
          }
        }
      }
    }
  }

  @Test(
    arguments: [
      ("mostRows", false), ("leastPart", false), ("most", false), ("pushedPatience", false),
      ("VisitDesk", false), ("newcomers", false), ("almost", true), ("mostly", true),
      ("maxRows", true), ("longest", true), ("leastNonzeroMagnitude", true),
    ] as [(Substring, Bool)])
  func `a replaced word is recognised within a name`(name: Substring, isPermitted: Bool) {
    let found = Self.identifiers(in: name).compactMap(Self.objection)
    #expect(found.isEmpty == isPermitted, "\(name)")
  }

  @Test func `no operation is listed under a replaced name`() throws {
    for file in try Repository.files(in: "Sources", endingIn: [".swift"]) {
      #expect(!file.text.contains("\"Keeping order\""), "\(file.path)")
    }
  }
}
