import Foundation
import Import
import JSON
import PrivacyMap

/// The root of the checkout: two folders above this file's folder.
private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().path

func fixture(_ name: String) -> String {
  root + "/Tests/ImportTests/Fixtures/" + name
}

func seedMapping(_ name: String) throws -> ImportMapping {
  try ImportMapping(path: root + "/seed/mappings/" + name + ".json")
}

func seedFile(_ name: String) throws -> JSONValue {
  let data = try Data(contentsOf: URL(fileURLWithPath: root + "/seed/" + name))
  return try JSONValue(parsing: [UInt8](data))
}

/// The codes of the seed, so that a mapping with an unknown code is detected.
func seedVocabulary() throws -> Vocabulary {
  var terms: [String: [Vocabulary.Term]] = [:]
  let folder = root + "/seed/taxonomies"
  for file in try FileManager.default.contentsOfDirectory(atPath: folder)
  where file.hasSuffix(".json") {
    let json = try seedFile("taxonomies/" + file)
    guard let scheme = json["scheme"]?.stringValue else { continue }
    let codes = (json["terms"]?.arrayValue ?? []).compactMap { $0["code"]?.stringValue }
    terms[scheme] = codes.enumerated().map { .init(code: $1, number: $0, parent: nil) }
  }
  let categories = (terms["categories"] ?? []).map { term in
    Vocabulary.Category(
      code: term.code, number: UInt8(truncatingIfNeeded: term.number), isHousehold: false,
      staleMonths: 24, collects: [])
  }
  return Vocabulary(categories: categories, terms: terms)
}

/// Every row of a file.
func rows(
  _ source: ByteSource, _ options: ImportReader.Options = .init()
) throws -> [SourceRow] {
  var rows: [SourceRow] = []
  try ImportReader(source, options: options).forEachRow { rows.append($0) }
  return rows
}

func rows(
  _ text: String, name: String = "", _ options: ImportReader.Options = .init()
) throws -> [SourceRow] {
  try rows(ByteSource(bytes: Array(text.utf8), name: name), options)
}

/// The reason why a file cannot be read to its end, and the number of rows before it.
func failure(_ source: ByteSource) -> (ImportFailure?, rows: Int) {
  var count = 0
  do {
    try ImportReader(source).forEachRow { _ in count += 1 }
    return (nil, count)
  } catch {
    return (error as? ImportFailure, count)
  }
}

func failure(_ text: String, name: String = "") -> (ImportFailure?, rows: Int) {
  failure(ByteSource(bytes: Array(text.utf8), name: name))
}

/// The results for a whole file.
struct ImportCounts {
  /// Rows read.
  var rows = 0
  /// Imported devices, flagged or not.
  var devices = 0
  /// Imported devices with at least one flag.
  var flagged = 0
  var skipped = 0
  var refused = 0
  /// The count of each reason: `flagged.bearings.not_a_direction`, `refused.too_far`.
  var reasons: [String: Int] = [:]

  /// Counts one outcome.
  mutating func add(_ outcome: ImportOutcome) {
    switch outcome {
    case .device(let device):
      devices += 1
      if !device.notes.isEmpty { flagged += 1 }
      for note in Set(device.notes.map { "flagged." + ($0.field.map { $0 + "." } ?? "") + $0.code })
      { reasons[note, default: 0] += 1 }
    case .skipped(let refusal):
      skipped += 1
      reasons["skipped." + refusal.reason.code, default: 0] += 1
    case .refused(let refusal):
      refused += 1
      reasons["refused." + refusal.reason.code, default: 0] += 1
    }
  }
}

/// A list read with a mapping.
struct MappedList {
  var outcomes: [ImportOutcome] = []
  var counts = ImportCounts()

  init(_ mapping: ImportMapping, _ source: ByteSource, vocabulary: Vocabulary? = nil) throws {
    guard let today = Day(year: 2026, month: 11, day: 21) else {
      throw InvalidMapping(key: "", reason: "")
    }
    let mapper = RowMapper(mapping: mapping, vocabulary: vocabulary, today: today)
    var strays = StrayRows(mapping)
    try ImportReader(source, options: mapping.reading).forEachRow { row in
      counts.rows += 1
      for outcome in mapper.outcomes(for: row) { strays.take(outcome) { take($0) } }
    }
    strays.finish { take($0) }
  }

  private mutating func take(_ outcome: ImportOutcome) {
    counts.add(outcome)
    outcomes.append(outcome)
  }

  /// One of the shipped mappings applied to one of the fixtures, with the codes of the seed.
  init(shipped mapping: String, fixture name: String) throws {
    try self.init(
      seedMapping(mapping), ByteSource(path: fixture(name)), vocabulary: seedVocabulary())
  }

  /// CSV text read with a mapping that contains only the rules under test.
  init(fields: String, more: String = "", csv: String) throws {
    let text = """
      {"source": {"code": "test", "name": "Test", "licence": "CC0-1.0", "attribution": "-"},
       "input": {"format": "csv"}, \(more)
       "fields": {"category": "webcam", "name": [{"from": "name"}, {"value": "A"}],
         "longitude": "lon", "latitude": "lat", \(fields)}}
      """
    try self.init(
      ImportMapping(JSONValue(parsing: Array(text.utf8), options: .lenient)),
      ByteSource(bytes: Array(csv.utf8), name: "a.csv"))
  }

  var devices: [ImportedDevice] {
    outcomes.compactMap { if case .device(let device) = $0 { device } else { nil } }
  }

  var refusals: [ImportRefusal] {
    outcomes.compactMap { if case .refused(let refusal) = $0 { refusal } else { nil } }
  }

  var skipped: [ImportRefusal] {
    outcomes.compactMap { if case .skipped(let refusal) = $0 { refusal } else { nil } }
  }

  func device(_ key: String) -> ImportedDevice? { devices.first { $0.sourceKey == key } }
}
