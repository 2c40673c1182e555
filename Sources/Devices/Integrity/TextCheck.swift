import Service
import SpatialDatabase

/// Checks that the full-text index matches the devices, and that searches find them.
struct TextCheck {
  /// Devices with an incorrect full text, by rowid.
  struct Drift {
    /// The full text differs from the device or is missing.
    var drifted: [Int64] = []
    /// A search for a word of its name does not find the device.
    var unfound: [Int64] = []
  }

  /// The problems, one sentence each.
  func findings(_ connection: Connection) throws -> [Finding] {
    func finding(_ words: String) -> Finding {
      Finding(kind: .derived(.texts), description: words)
    }
    do {
      let found = try drift(connection)
      var findings: [Finding] = []
      if !found.drifted.isEmpty {
        findings.append(
          finding("\(found.drifted.count) devices have a wrong or missing full text"))
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

  /// - Throws: ``DatabaseFault`` of kind `corrupt` if the full-text index is damaged internally.
  func drift(_ connection: Connection) throws -> Drift {
    var found = Drift()
    try connection.forEach(
      """
      SELECT wanted.rowid, wanted.name, device_text.name IS DISTINCT FROM wanted.name
        OR device_text.operator IS DISTINCT FROM wanted.operator
        OR device_text.description IS DISTINCT FROM wanted.description
      FROM (\(FullText.wanted)) AS wanted JOIN device_text ON device_text.rowid = wanted.rowid
      """
    ) { row in
      let rowid = row.int(0)
      if row.bool(2) { found.drifted.append(rowid) }
      guard let word = Self.word(of: row.text(1)) else { return }
      let isFound = try connection.integer(
        connection.indexEntry(of: "device"),
        [.text(connection.indexedWord(word, in: "name")), .integer(rowid)])
      if isFound == nil { found.unfound.append(rowid) }
    }
    return found
  }

  /// The longest word of ASCII letters and digits between spaces, which every tokenizer treats as one
  /// word; nil if the name has no such word.
  private static func word(of name: String) -> String? {
    name.split { $0 == " " }.filter { word in
      word.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      }
    }.max { $0.utf8.count < $1.utf8.count }.map(String.init)
  }
}
