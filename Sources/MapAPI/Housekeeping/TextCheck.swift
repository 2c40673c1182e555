import SpatialDatabase

/// Checks whether the full text says what the devices say, and finds them by it.
struct TextCheck {
  /// Devices whose full text is not what it should be, by row.
  struct Drift {
    /// The full text says something else, or there is none.
    var drifted: [Int64] = []
    /// The device is not found by a word of its name.
    var unfound: [Int64] = []
  }

  /// What is wrong, one sentence each.
  func findings(_ connection: Connection) throws -> [Finding] {
    func finding(_ words: String) -> Finding {
      Finding(kind: .derived(.texts), description: words)
    }
    do {
      let found = try drift(connection)
      var findings: [Finding] = []
      if !found.drifted.isEmpty {
        findings.append(
          finding("\(found.drifted.count) devices say something else than their full text"))
      }
      if !found.unfound.isEmpty {
        findings.append(finding("\(found.unfound.count) devices are not found by their names"))
      }
      return findings
    } catch let fault as DatabaseFault where fault.kind == .corrupt {
      return [
        Finding(kind: .broken(.texts), description: "the full text is damaged: \(fault.message)")
      ]
    }
  }

  /// - Throws: ``DatabaseFault`` of kind `corrupt` where the full text is damaged inside.
  func drift(_ connection: Connection) throws -> Drift {
    var found = Drift()
    try connection.forEach(
      """
      SELECT wanted.rowid, wanted.name, device_text.name IS NOT wanted.name
        OR device_text.operator IS NOT wanted.operator
        OR device_text.description IS NOT wanted.description
      FROM (\(FullText.wanted)) AS wanted JOIN device_text ON device_text.rowid = wanted.rowid
      """
    ) { row in
      let rowid = row.int(0)
      if row.bool(2) { found.drifted.append(rowid) }
      guard let word = Self.word(of: row.text(1)) else { return }
      let isFound = try connection.integer(
        "SELECT 1 FROM device_text WHERE device_text MATCH ? AND rowid = ?",
        [.text("name : \"\(word)\""), .integer(rowid)])
      if isFound == nil { found.unfound.append(rowid) }
    }
    return found
  }

  /// The longest word of ASCII letters and digits between spaces, which every tokenizer takes for one;
  /// nil where there is none.
  private static func word(of name: String) -> String? {
    name.split { $0 == " " }.filter { word in
      word.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      }
    }.max { $0.utf8.count < $1.utf8.count }.map(String.init)
  }
}
