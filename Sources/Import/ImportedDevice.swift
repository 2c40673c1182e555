package import PrivacyMap

/// One device as a row of a list describes it, cleaned and checked, not yet stored.
package struct ImportedDevice: Equatable, Sendable {
  /// The name by which a list knows a device.
  package struct Key: Hashable, Sendable {
    /// Whose name it is: the code of a source, or a register such as `osm`.
    package var namespace: String
    /// The name itself: `node/123`, `LINK-008695`.
    package var key: String
    /// The register's version of the record, where it has one.
    package var version: Int?

    package init(namespace: String, key: String, version: Int? = nil) {
      self.namespace = namespace
      self.key = key
      self.version = version
    }
  }

  /// The row it came from, counted from 1, and its line in the file.
  package var row: Int
  package var line: Int?
  /// Which device of an exploded row this is, counted from 1; nil for rows that are one device.
  package var part: Int?

  /// The source's own stable name; nil when the mapping has none.
  package var sourceKey: String?
  /// Every name that other lists know it by; the source's own is not repeated here.
  package var otherKeys: [Key] = []
  /// What is said of it. `fields.assumed` names fields that the mapping only assumes.
  package var fields: DeviceFields
  /// Where it stands, as the source says.
  package var coordinate: Coordinate
  /// The place is a point on a shape, or a guess of the source.
  package var isApproximate = false
  /// Whether a device known already keeps its place.
  package var keepsKnownPosition = false
  /// How closely the public may know the place; nil leaves it to the category.
  package var precision: Precision?
  /// Columns kept beside the fields, in the row's order. Not public unless `PublicTags` says so.
  package var tags: [Tag] = []
  /// What was flagged.
  package var notes: [ImportNote] = []

  /// One kept column.
  package struct Tag: Hashable, Sendable {
    package var key: String
    package var value: String

    package init(_ key: String, _ value: String) {
      self.key = key
      self.value = value
    }
  }
}

/// What became of one row, or of one device of a row that holds several.
package enum ImportOutcome: Equatable, Sendable {
  case device(ImportedDevice)
  /// Not a device of this list, or not one to show; the reason is the mapping's.
  case skipped(ImportRefusal)
  case refused(ImportRefusal)
}

/// A row that did not become a device.
package struct ImportRefusal: Equatable, Sendable {
  package var row: Int
  package var line: Int?
  package var part: Int?
  /// The source's own name of the row, where it could be read.
  package var sourceKey: String?
  /// The reason it was not taken, then anything noticed before.
  package var reason: ImportNote
  package var notes: [ImportNote] = []
}

/// What became of a whole file.
package struct ImportCounts: Equatable, Sendable {
  /// Rows read.
  package var rows = 0
  /// Devices taken, flagged or not.
  package var devices = 0
  /// Of these, flagged at least once.
  package var flagged = 0
  package var skipped = 0
  package var refused = 0
  /// How often each reason was given: `flagged.bearings.not_a_direction`, `refused.too_far`.
  package var reasons: [String: Int] = [:]

  package init() {}

  /// Counts one outcome.
  package mutating func add(_ outcome: ImportOutcome) {
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
