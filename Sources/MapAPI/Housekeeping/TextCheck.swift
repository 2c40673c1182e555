import PrivacyMap
import SpatialDatabase

/// Looks whether the full text says what the devices say, and finds them by it.
struct TextCheck {
  /// What is wrong, one sentence each.
  func findings(_ connection: Connection) throws -> [String] {
    do {
      let (drifted, unfound) = try counts(connection)
      var findings: [String] = []
      if drifted > 0 {
        findings.append("\(drifted) devices say something else than their full text")
      }
      if unfound > 0 { findings.append("\(unfound) devices are not found by their names") }
      return findings
    } catch let fault as DatabaseFault where fault.kind == .corrupt {
      return ["the full text is damaged: \(fault.message)"]
    }
  }

  private func counts(_ connection: Connection) throws -> (drifted: Int, unfound: Int) {
    var drifted = 0
    var unfound = 0
    try connection.forEach(
      """
      SELECT device.rowid, device.name, operator.name, device.description,
        device_text.name, device_text.operator, device_text.description
      FROM device JOIN device_text ON device_text.rowid = device.rowid
      LEFT JOIN operator ON operator.rowid = device.operator_rowid
      """
    ) { row in
      let said = (1...3).map { SearchText.indexed(row.text($0)) }
      if said != (4...6).map({ row.text($0) }) { drifted += 1 }
      guard let word = Self.word(of: said[0]) else { return }
      let isFound = try connection.integer(
        "SELECT 1 FROM device_text WHERE device_text MATCH ? AND rowid = ?",
        [.text("name : \"\(word)\""), .integer(row.int(0))])
      if isFound == nil { unfound += 1 }
    }
    return (drifted, unfound)
  }

  /// The longest word of letters and digits that every tokenizer takes for one; nil where there is
  /// none.
  private static func word(of name: String) -> String? {
    name.split { $0 == " " }.filter { word in
      word.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      }
    }.max { $0.utf8.count < $1.utf8.count }.map(String.init)
  }
}
