import JSON
package import PrivacyMap
import WrittenValues

/// The identity and the origin of a record that another Farol, or this one, has exported.
package struct ExportedRecord: Equatable, Sendable {
  /// The source of a record. Its code differs between instances and is not part of an export.
  package struct Origin: Hashable, Sendable {
    package var name, licence, attribution: String
    package var url: String?
  }

  /// The id of the device, the same on every Farol.
  package var id: DeviceID
  package var origin: Origin?
  /// Whether the record has every public value of the device. A file for OpenStreetMap has only some of them.
  package var isWhole: Bool
}

/// The columns of a Farol export: the member `farol` of a mapping.
struct ExportRule: Sendable {
  /// In each list, the first column with a value counts.
  let id, source, licence, attribution, url: [Column]
  /// The address of the device's page, which contains no more than the id.
  let page: [Column]
  /// The columns with the ids in other registers and with the tags of the source.
  let references, tags: Column?
  let isWhole: Bool

  init(_ node: MappingNode) throws(InvalidMapping) {
    let members = try node.members([
      "id", "source", "licence", "attribution", "url", "references", "tags", "page", "whole",
    ])
    func columns(_ name: String) throws(InvalidMapping) -> [Column] {
      try members[name]?.texts().map(Column.init) ?? []
    }
    id = try columns("id")
    guard !id.isEmpty else { throw node.fault("needs id") }
    source = try columns("source")
    licence = try columns("licence")
    attribution = try columns("attribution")
    url = try columns("url")
    page = try columns("page")
    references = try members["references"].map { (node) throws(InvalidMapping) in
      Column(try node.text())
    }
    tags = try members["tags"].map { (node) throws(InvalidMapping) in Column(try node.text()) }
    isWhole = try members["whole"]?.flag() ?? false
  }

  /// Groups of its columns. One column of each group is enough.
  var candidates: [[Column]] {
    [id + page, source, licence, attribution, url]
      + [references, tags].map { $0.map { [$0] } ?? [] }
  }
}

extension DeviceDraft {
  /// The identity of an exported record; nil for any other row.
  ///
  /// - Throws: ``RowRefused`` for a row without an id in a file that states every value.
  mutating func exportedRecord() throws(RowRefused) -> ExportedRecord? {
    guard let rule = mapper.mapping.export else { return nil }
    func first(_ candidates: [Column]) -> String? {
      candidates.lazy.compactMap { [columns] in columns.clean($0).first.map(columns.unescaped) }
        .first
    }
    guard let id = first(rule.id).flatMap({ DeviceID(text: $0) }) else {
      guard rule.isWhole else { return nil }
      throw RowRefused(code: "no_key", detail: "The row has no id of a device of Farol.")
    }
    for candidates in rule.candidates { for column in candidates { use(column) } }
    var record = ExportedRecord(id: id, origin: nil, isWhole: rule.isWhole)
    if let name = first(rule.source), let licence = first(rule.licence) {
      record.origin = ExportedRecord.Origin(
        name: name, licence: licence, attribution: first(rule.attribution) ?? "",
        url: first(rule.url))
    }
    return record
  }

  /// The ids of an exported record in other registers: an object of lists, or `namespace:key` joined by semicolons.
  var exportedKeys: [ImportedDevice.Key] {
    guard let column = mapper.mapping.export?.references else { return [] }
    var keys: [ImportedDevice.Key] = []
    for (namespace, list) in column.value(in: row.columns)?.objectValue?.members ?? [] {
      keys += (list.arrayValue ?? []).compactMap(\.stringValue).map {
        ImportedDevice.Key(namespace: namespace, key: $0)
      }
    }
    for text in columns.raw(column) {
      for part in text.split(separator: ";", omittingEmptySubsequences: false) {
        let colon = part.firstIndex(of: ":") ?? part.startIndex
        let namespace = part[..<colon]
        if !namespace.isEmpty, namespace.utf8.allSatisfy(Self.isOfNamespace) {
          let key = String(part[part.index(after: colon)...])
          keys.append(ImportedDevice.Key(namespace: String(namespace), key: key))
        } else if !keys.isEmpty {
          // A semicolon inside the key before.
          keys[keys.count - 1].key += ";\(part)"
        }
      }
    }
    return keys.filter { key in
      !key.key.isEmpty && !FileLocalID.isOne(key.key, isBare: key.namespace == "osm")
    }
  }

  private static func isOfNamespace(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// The tags of an exported record: an object, or its text.
  var exportedTags: [ImportedDevice.Tag] {
    guard let column = mapper.mapping.export?.tags else { return [] }
    let value = column.value(in: row.columns)
    let object =
      value?.objectValue
      ?? columns.raw(column).first.flatMap { try? JSONValue(parsing: Array($0.utf8)).objectValue }
    return (object?.members ?? []).compactMap { key, value in
      value.stringValue.map { ImportedDevice.Tag(key, $0) }
    }
  }
}
