/// Detects the separator of a table from its first records, and a wrong one.
struct CSVSeparator {
  /// Commas come last: they are in texts and in numbers, too.
  private static let candidates = [
    UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "~"),
    UInt8(ascii: ","),
  ]

  /// The first records as one separator splits them.
  private struct Split {
    let separator: UInt8
    /// The number of fields of each record.
    private(set) var fields: [Int] = []
    private(set) var hint: UInt8?

    /// Enough to see a pattern below titles.
    static let maximum = 50

    init(_ head: [UInt8], by separator: UInt8) {
      self.separator = separator
      var splitter = CSVSplitter(
        separator: separator, quote: CSVSeparator.quote(head, separator: separator))
      var fields: [Int] = []
      var hint: UInt8?
      // The beginning of a file may end in the middle of a record.
      try? head.withUnsafeBufferPointer { head in
        try splitter.take(head) { record in
          if fields.isEmpty, hint == nil, CSVSeparator.isHint(record) {
            hint = CSVSeparator.hinted(record, split: separator)
          } else if !record.isBlank, fields.count < Self.maximum {
            fields.append(record.fields.count)
          }
        }
        if fields.isEmpty { try splitter.finish { fields.append($0.fields.count) } }
      }
      (self.fields, self.hint) = (fields, hint)
    }

    /// The most frequent number of fields, and the share of records that have it.
    var usual: (fields: Int, share: Double) {
      var counts: [Int: Int] = [:]
      for count in fields where count > 1 { counts[count, default: 0] += 1 }
      guard let best = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else {
        return (1, 0)
      }
      return (best.key, Double(best.value) / Double(fields.count))
    }
  }

  private let head: [UInt8]

  /// - Parameter head: the beginning of the file.
  init(_ head: [UInt8]) { self.head = head }

  /// Whether a record is the line `sep=;`, in which Excel states the separator.
  static func isHint(_ record: CSVSplitter.Record) -> Bool {
    guard record.fields.count <= 2, let first = record.fields.first else { return false }
    return first.count <= 5 && first.starts(with: Array("sep=".utf8))
      && record.fields.dropFirst().allSatisfy(\.isEmpty)
  }

  private static func hinted(_ record: CSVSplitter.Record, split separator: UInt8) -> UInt8? {
    record.fields.count == 2 ? separator : record.fields.first?.dropFirst(4).first
  }

  /// The one that the file names, or that splits most of the first records into the same number of fields; a comma if
  /// none does.
  private var detected: Split {
    let splits = Self.candidates.map { Split(head, by: $0) }
    if let hint = splits.lazy.compactMap(\.hint).first,
      let hinted = splits.first(where: { $0.separator == hint })
    {
      return hinted
    }
    var best = splits[0]
    for split in splits.dropFirst()
    where (split.usual.share, split.usual.fields) > (best.usual.share, best.usual.fields) {
      best = split
    }
    return best.usual.share > 0 ? best : splits[splits.count - 1]
  }

  /// The separator of the mapping, `wanted`, or the detected one if that is nil.
  ///
  /// - Throws: ``ImportFailure`` if no record has the requested separator.
  func separator(wanted: UInt8?) throws(ImportFailure) -> UInt8 {
    let found = detected
    guard let wanted else {
      if found.usual.share < 0.9 || found.fields.first == 1, let reason = UnsplitTable.reason(head)
      {
        throw ImportFailure(reason, line: 1)
      }
      return found.separator
    }
    guard Split(head, by: wanted).usual.share == 0, found.usual.share > 0 else { return wanted }
    throw ImportFailure(
      "the header line has no \(Self.shown(wanted)) but \(found.usual.fields - 1) × "
        + "\(Self.shown(found.separator)); "
        + "correct input.separator in the mapping, or leave it out", line: 1)
  }

  /// The sign around texts: an apostrophe if it begins and ends values of most lines, otherwise the usual quotation
  /// mark. Words such as `'s-Hertogenbosch` and the apostrophes of spreadsheets have no second one.
  static func quote(_ head: [UInt8], separator: UInt8) -> UInt8 {
    let (single, double) = (UInt8(ascii: "'"), UInt8(ascii: "\""))
    var (lines, quoted) = (0, 0)
    for line in head.split(maxSplits: Split.maximum, whereSeparator: { $0 == 0x0A || $0 == 0x0D })
      .prefix(Split.maximum)
    {
      let fields = line.split(separator: separator)
      let begin = fields.count { $0.first == single }
      if begin > 0, begin == fields.count(where: { $0.count > 1 && $0.last == single }) {
        quoted += 1
      }
      if fields.contains(where: { $0.first == double }) { return double }
      lines += 1
    }
    return quoted * 2 > lines ? single : double
  }

  private static func shown(_ separator: UInt8) -> String {
    separator == 9 ? "tab" : "“\(Character(UnicodeScalar(separator)))”"
  }
}
