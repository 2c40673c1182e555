package import Foundation
package import Import
package import JSON
package import PrivacyMap

/// The mappings in the seed folder of an instance, by name.
package struct ImportMappings: Sendable {
  private let folder: URL

  /// `folder` contains one file per mapping, `<name>.json`.
  package init(folder: URL) { self.folder = folder }

  /// The names in alphabetical order.
  package var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// - Throws: ``UnknownMapping`` if no mapping has that name, ``InvalidMapping`` or
  ///   ``ImportFailure`` if it cannot be read.
  package func mapping(named name: String) throws -> ImportMapping {
    guard names.contains(name) else { throw UnknownMapping(name: name) }
    return try ImportMapping(path: folder.appendingPathComponent("\(name).json").path)
  }

  /// A mapping that is not in the folder but may extend one that is.
  ///
  /// - Throws: ``InvalidMapping`` with the key of the error.
  package func mapping(_ json: JSONValue) throws -> ImportMapping {
    let names = names
    return try ImportMapping(json) { file in
      guard file.hasSuffix(".json"), names.contains(String(file.dropLast(5))) else {
        throw InvalidMapping(key: "extends", reason: "there is no mapping “\(file)”")
      }
      return try ImportMapping.file(folder.appendingPathComponent(file).path)
    }
  }

  /// The number of rows used to recognise a list.
  private static let rows = 200

  /// The time for all mappings together.
  static let timeToRecognise = Duration.seconds(10)

  /// The mapping that fits a list's first rows best; nil if every mapping takes less than half of
  /// them.
  package func recognised(_ file: ByteSource, vocabulary: Vocabulary, today: Day) -> String? {
    var best: (name: String, score: Score)?
    let deadline = ContinuousClock.now + Self.timeToRecognise
    for name in names {
      guard let mapping = try? mapping(named: name) else { continue }
      let mapper = RowMapper(mapping: mapping, vocabulary: vocabulary, today: today)
      let score = Self.score(file, mapping, mapper, until: deadline)
      guard score.taken * 2 >= score.rows, score.taken > 0 else { continue }
      if best.map({ $0.score < score }) ?? true { best = (name, score) }
    }
    return best?.name
  }

  private struct Score: Comparable {
    var rows = 0
    var taken = 0
    /// The number of fields with a value, minus the number of notes.
    var filled = 0

    /// Compares the share of rows taken, then the number of fields.
    static func < (one: Score, other: Score) -> Bool {
      let (left, right) = (one.taken * other.rows, other.taken * one.rows)
      return left == right ? one.filled < other.filled : left < right
    }
  }

  private struct EnoughRows: Error {}

  private static func score(
    _ file: ByteSource, _ mapping: ImportMapping, _ mapper: RowMapper,
    until deadline: ContinuousClock.Instant
  ) -> Score {
    var score = Score()
    var options = mapping.reading
    options.deadline = deadline
    try? ImportReader(file, options: options).forEachRow { row in
      for case .device(let device) in mapper.outcomes(for: row).prefix(1) {
        score.taken += 1
        score.filled += filled(by: device)
      }
      score.rows += 1
      if score.rows == rows { throw EnoughRows() }
    }
    return score
  }

  private static func filled(by device: ImportedDevice) -> Int {
    // No other mapping reads Farol's ids.
    if device.exported?.isWhole == true { return 1_000 }
    let fields = device.fields
    let texts = [
      fields.description, fields.manufacturer, fields.model, fields.zone, fields.mount,
      fields.answersFor?.name, fields.startedOn, fields.setting?.rawValue, device.sourceKey,
    ]
    return texts.count { $0 != nil } + fields.dataCollected.count + fields.purposes.count
      + device.otherKeys.count - device.notes.count
  }
}

/// A request for a mapping that does not exist.
package struct UnknownMapping: Error, CustomStringConvertible {
  package let name: String
  package var description: String { "there is no mapping “\(name)” in seed/mappings" }
}
