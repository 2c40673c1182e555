/// Detects the separator of a table from its header line, and a wrong one.
struct CSVSeparator {
  private static let candidates = [
    UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|"),
  ]

  /// The number of occurrences of each byte of the header line outside quotes.
  private var counts: [UInt8: Int] = [:]

  /// - Parameter head: the beginning of the file.
  init(_ head: [UInt8]) {
    var isQuoted = false
    for byte in head {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
      counts[byte, default: 0] += 1
    }
  }

  /// The most frequent candidate; a comma if the header line contains no candidate.
  private var detected: UInt8 {
    let most = Self.candidates.map(count).max() ?? 0
    return Self.candidates.first { most > 0 && count($0) == most } ?? UInt8(ascii: ",")
  }

  private func count(_ byte: UInt8) -> Int { counts[byte] ?? 0 }

  /// The separator of the mapping, `wanted`, or the detected one if that is nil.
  ///
  /// - Throws: ``ImportFailure`` if the header line has only other separators than the wanted one.
  func separator(wanted: UInt8?) throws(ImportFailure) -> UInt8 {
    guard let wanted else { return detected }
    let found = detected
    guard count(wanted) == 0, count(found) > 0 else { return wanted }
    throw ImportFailure(
      "the header line has no \(Self.shown(wanted)) but \(count(found)) × \(Self.shown(found)); "
        + "correct input.separator in the mapping, or leave it out", line: 1)
  }

  private static func shown(_ separator: UInt8) -> String {
    separator == 9 ? "tab" : "“\(Character(UnicodeScalar(separator)))”"
  }
}
