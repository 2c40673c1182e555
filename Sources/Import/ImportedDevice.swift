package import PrivacyMap

/// One device from a row of a list, cleaned and validated, not yet stored.
package struct ImportedDevice: Equatable, Sendable {
  /// The identifier of a device in a list.
  package struct Key: Hashable, Sendable {
    /// The list that assigns the identifier: the code of a source, or a register such as `osm`.
    package var namespace: String
    /// The identifier itself: `node/123`, `LINK-008695`.
    package var key: String
    /// The version of the record in the register, if any.
    package var version: Int?

    package init(namespace: String, key: String, version: Int? = nil) {
      self.namespace = namespace
      self.key = key
      self.version = version
    }
  }

  /// The row of the device, counted from 1, and its line in the file.
  package var row: Int
  package var line: Int?
  /// The number of this device in an exploded row, counted from 1. Nil for rows that describe one
  /// device.
  package var part: Int?

  /// The stable identifier in the source. Nil if the mapping defines none.
  package var sourceKey: String?
  /// Its identifiers in other lists, without the one of the source.
  package var otherKeys: [Key] = []
  /// Its identity if a Farol has exported the record.
  package var exported: ExportedRecord?
  /// The properties of the device. `fields.assumed` contains the names of fields that the mapping
  /// only assumes.
  package var fields: DeviceFields
  /// The position stated by the source.
  package var coordinate: Coordinate
  /// The position is a point on a shape, or an estimate of the source.
  package var isApproximate = false
  /// Whether a known device keeps its position.
  package var keepsKnownPosition = false
  /// The precision of the public position. Nil means the default of the category.
  package var precision: Precision?
  /// Additional columns, in the order of the row. Not public unless `PublicTags` allows it.
  package var tags: [Tag] = []
  /// Whether several rows of the file may describe the device, the first of which counts.
  package var mayRepeat = false
  /// The flagged problems.
  package var notes: [ImportNote] = []

  /// One additional column.
  package struct Tag: Hashable, Sendable {
    package var key: String
    package var value: String

    package init(_ key: String, _ value: String) {
      self.key = key
      self.value = value
    }
  }
}

extension ImportedDevice {
  /// A device of a row, without keys and notes.
  package init(ofRow row: Int, _ fields: DeviceFields, at coordinate: Coordinate) {
    self.init(row: row, fields: fields, coordinate: coordinate)
  }
}

/// The result for one row, or for one device of a row with several devices.
package enum ImportOutcome: Equatable, Sendable {
  case device(ImportedDevice)
  /// Not a device of this list, or not one to show. The mapping states the reason.
  case skipped(ImportRefusal)
  case refused(ImportRefusal)
}

extension ImportOutcome {
  /// Why the file is incomplete, if the row says so: a second table to the right of the first is not read.
  package var incompleteness: String? {
    let notes =
      switch self {
      case .device(let device): device.notes
      case .skipped(let refusal), .refused(let refusal): refusal.notes + [refusal.reason]
      }
    if notes.contains(where: { $0.code == DeviceDraft.secondTable }) {
      return "it has a second table beside the first"
    }
    guard case .refused(let refusal) = self, refusal.isLost else { return nil }
    return "its row \(refusal.row) cannot be read"
  }
}

/// A row that was not imported.
package struct ImportRefusal: Equatable, Sendable {
  package var row: Int
  package var line: Int?
  package var part: Int?
  /// The identifier of the row in the source, if it could be read.
  package var sourceKey: String?
  /// The texts of a row without a readable identifier, one of which may be it, and its position if it has one.
  package var texts: [String] = []
  package var coordinate: Coordinate?
  /// Whether nothing is known about the devices of the row.
  package var isLost = false
  /// The reason for the rejection. `notes` has earlier messages.
  package var reason: ImportNote
  package var notes: [ImportNote] = []
  /// Whether the row states that its device is no longer there: it was deleted, removed or became another object.
  package var isGone = false
}
