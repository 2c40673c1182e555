import Import
import JSON
import Service
import SpatialDatabase

/// The OpenStreetMap tags of a device.
///
/// A device imported from OpenStreetMap keeps all its tags, except those that identify a person. Changes
/// made here replace the corresponding tags. For any other device the tags are computed from its fields.
/// Retention, choices, purposes and similar fields have no tags and are left out.
struct OSMTags: Sendable {
  /// The tags of each category that OpenStreetMap has tags for.
  private let categories: [String: [(key: String, value: String)]]

  init(_ connection: borrowing Connection) throws {
    var categories: [String: [(key: String, value: String)]] = [:]
    try connection.forEach("SELECT code, osm FROM category") { row in
      guard let osm = try? JSONValue(parsing: row.blob(1)),
        let tags = osm["export"]?.objectValue
      else { return }
      categories[row.text(0)] = tags.members.compactMap { member in
        member.value.stringValue.map { (member.key, $0) }
      }
    }
    self.categories = categories
  }

  /// The codes of these categories.
  var meaningful: [String] { categories.keys.sorted() }

  /// The columns from which tags are computed. They follow the columns of ``OSMElement``.
  static let columns = [
    "device.category", "device.name", "device.setting", "device.zone", "device.mount",
    "device.bearings", "operator.name", "operator.kind", "device.level", "device.height",
    "device.manufacturer", "device.model", "device.units", "device.started_on",
  ]

  typealias Tag = (key: String, value: String)

  /// The tags of a device that was not imported from OpenStreetMap; its columns begin at `first`.
  func tags(_ row: Row, from first: Int) -> [Tag] {
    var tags = Self.columnNames.flatMap { said(by: $0, row, from: first) }
    var seen: Set<String> = []
    // The tags of the category come first and take precedence.
    tags.removeAll { !seen.insert($0.key).inserted }
    return tags.sorted { $0.key < $1.key }
  }

  /// The tags of a device that was imported with the tags `kept` and in which people have changed
  /// `columns`. Lists other than OpenStreetMap's own have only some of the tags of an element
  /// (`isWhole` is false); the others are computed.
  func tags(
    _ row: Row, from first: Int, kept: [ImportedDevice.Tag], isWhole: Bool, changed: Set<String>
  ) -> [Tag] {
    var tags = kept.filter(OutgoingTags.mayLeave).map { (key: $0.key, value: $0.value) }
    // Without this, a camera would keep its old type after people have corrected it.
    for column in Self.columnNames where changed.contains(column) {
      let replaced = Set(Self.keys(of: column))
      tags.removeAll { replaced.contains($0.key) }
      for tag in said(by: column, row, from: first) {
        tags.removeAll { $0.key == tag.key }
        tags.append(tag)
      }
    }
    if !isWhole {
      // A list without names has devices with names made from their category.
      let known = Set(tags.map(\.key) + ["name"])
      tags += self.tags(row, from: first).filter { !known.contains($0.key) }
    }
    return tags.sorted { $0.key < $1.key }
  }

  private static let columnNames = [
    "category", "name", "setting", "zone", "mount", "bearings", "operator_rowid", "level", "height",
    "manufacturer", "model", "units", "started_on",
  ]

  /// The tags that correspond to a column.
  private static func keys(of column: String) -> [String] {
    switch column {
    case "category": ["surveillance:type", "camera:type", "highway", "internet_access"]
    case "setting": ["surveillance"]
    case "zone": ["surveillance:zone"]
    case "mount": ["camera:mount"]
    case "bearings": ["camera:direction", "direction"]
    case "operator_rowid": ["operator", "operator:type"]
    case "units": ["camera:count"]
    case "started_on": ["start_date"]
    default: [column]
    }
  }

  /// The kind of an operator that is an organisation: if the kind is unknown, the name may be a person's.
  static func organisation(_ row: Row, from first: Int) -> String? {
    row.optionalText(first + 7).flatMap { ["public", "company"].contains($0) ? $0 : nil }
  }

  private func said(by column: String, _ row: Row, from first: Int) -> [Tag] {
    let category = categories[row.text(first)] ?? []
    let isCamera = category.contains { $0.key == "man_made" && $0.value == "surveillance" }
    func one(_ key: String, _ offset: Int) -> [Tag] {
      row.optionalText(first + offset).map { [(key, $0)] } ?? []
    }
    switch column {
    case "category": return category
    case "name": return one("name", 1)
    case "setting": return isCamera ? one("surveillance", 2) : []
    case "zone": return isCamera ? one("surveillance:zone", 3) : []
    case "mount": return isCamera ? one("camera:mount", 4) : []
    case "bearings":
      var list = CSVText(capacity: 16)
      row.withUTF8(first + 5) { list.append(list: $0) }
      let text = list.text
      return text.isEmpty ? [] : [(isCamera ? "camera:direction" : "direction", text)]
    case "operator_rowid":
      return Self.organisation(row, from: first) == nil ? [] : one("operator", 6)
    case "level": return one("level", 8)
    case "height": return one("height", 9)
    case "manufacturer": return one("manufacturer", 10)
    case "model": return one("model", 11)
    case "units": return row.int(first + 12) > 1 ? one("camera:count", 12) : []
    case "started_on": return one("start_date", 13)
    default: return []
    }
  }
}
