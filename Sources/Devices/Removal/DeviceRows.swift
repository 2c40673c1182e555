package import JSON
package import SpatialDatabase

/// All rows of a device, except derived rows (full text, box, geometry) and rows that outlive the device (changes, and
/// tables that other features declare).
struct DeviceRows: Sendable {
  /// The rows of each table, in the order in which they can be inserted again.
  private var tables: [(name: String, rows: [JSONObject])] = []

  /// Tables whose rows are referenced by other tables, and the name of the referencing column.
  private static let numbered: [String: String] = [
    "verdict": "verdict_rowid", "photo": "photo_rowid",
  ]
  private static let names = [
    "device", "device_location", "device_choice", "device_key", "device_tag", "revision",
    "revision_location", "verdict", "photo", "review",
  ]

  /// The tables whose rows are removed and restored with a device.
  private static func names(_ others: [DeviceTable]) -> [String] {
    names + others.filter { !$0.outlivesDevice }.map(\.name)
  }

  /// Reads all rows of a device, also from tables of other features.
  init(
    of rowid: Int64, _ others: [DeviceTable], _ connection: borrowing Connection
  ) throws {
    for name in Self.names(others) {
      let columns = try Self.columns(of: name, connection)
      let key = name == "device" ? "rowid" : "device_rowid"
      let rows = try connection.rows(
        "SELECT \(columns.joined(separator: ", ")) FROM \(name) WHERE \(key) = ?",
        [.integer(rowid)]
      ) { row in
        JSONObject(
          columns.enumerated().map { position, column in
            (key: column, value: JSONValue(row.value(position)))
          })
      }
      tables.append((name, rows))
    }
    for table in others where table.outlivesDevice {
      let rows = try connection.rows(
        "SELECT rowid FROM \(table.name) WHERE device_rowid = ?", [.integer(rowid)]
      ) { JSONObject([("rowid", .integer($0.int(0)))]) }
      tables.append((table.name, rows))
    }
  }

  /// Reads the text that ``json`` wrote.
  init?(json: String) {
    guard let object = try? JSONValue(parsing: Array(json.utf8)).objectValue else { return nil }
    tables = object.members.map { member in
      (member.key, member.value.arrayValue?.compactMap(\.objectValue) ?? [])
    }
  }

  var json: String {
    var writer = JSONWriter()
    writer.value(
      .object(
        JSONObject(tables.map { ($0.name, .array($0.rows.map { .object($0) })) })))
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The files of its photos.
  var photoFiles: [String] {
    (tables.first { $0.name == "photo" }?.rows ?? []).compactMap { $0["file"]?.stringValue }
  }

  /// Every operator that the device has had.
  var operators: Set<Int64> {
    let rows = tables.filter { $0.name == "device" || $0.name == "revision" }.flatMap(\.rows)
    return Set(
      rows.compactMap { row in
        let before = row["before"]?.stringValue.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
        return (row["operator_rowid"] ?? before?["operator_rowid"])?.intValue.map(Int64.init)
      })
  }

  /// Inserts all rows and returns the rowid of the device: its previous one if that is free.
  func insert(
    _ others: [DeviceTable], _ connection: borrowing Connection
  ) throws -> Int64 {
    let outliving = others.filter(\.outlivesDevice).map(\.name)
    let names = Self.names(others)
    var device: Int64 = 0
    // New rowids by previous ones, so that references stay correct.
    var renumbered: [String: [Int64: Int64]] = [:]
    for (name, rows) in tables {
      if outliving.contains(name) {
        try relink(rows, of: name, to: device, connection)
        continue
      }
      guard names.contains(name) else { continue }
      let columns = try Self.columns(of: name, connection)
      for row in rows {
        var row = row
        let old = row["rowid"]?.intValue.map(Int64.init)
        if name == "device" {
          row["rowid"] = try freeRow(old, connection)
        } else {
          row["device_rowid"] = .integer(device)
          if columns.contains("rowid") { row["rowid"] = .null }
        }
        try settle(&row, renumbered, connection)
        try insert(row, into: name, columns, connection)
        let new = connection.lastInsertedRowID
        if name == "device" { device = new }
        if let reference = Self.numbered[name], let old {
          renumbered[reference, default: [:]][old] = new
        }
      }
    }
    return device
  }

  private func insert(
    _ row: JSONObject, into table: String, _ columns: [String], _ connection: borrowing Connection
  ) throws {
    // Columns that a later migration removed are left out, and a row id that the database assigns.
    let members = row.members.filter { member in
      columns.contains(member.key) && !(member.key == "rowid" && member.value.isNull)
    }
    var names = members.map(\.key)
    var marks = members.map { _ in "?" }
    var values = members.map { SQLValue($0.value) }
    if table == "device" {
      names.append("public_point")
      marks.append(connection.makePoint)
      values += [SQLValue(row["longitude"] ?? .null), SQLValue(row["latitude"] ?? .null)]
    }
    try connection.execute(
      "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))",
      values)
  }

  /// The previous rowid of the device, unless another device uses it now.
  private func freeRow(
    _ row: Int64?, _ connection: borrowing Connection
  ) throws -> JSONValue {
    guard let row else { return .null }
    let isTaken =
      try connection.integer("SELECT 1 FROM device WHERE rowid = ?", [.integer(row)]) != nil
    return isTaken ? .null : .integer(row)
  }

  /// Updates the references of a row: accounts may be deleted, and other rows may have new rowids.
  private func settle(
    _ row: inout JSONObject, _ renumbered: [String: [Int64: Int64]],
    _ connection: borrowing Connection
  ) throws {
    if let account = row["account_rowid"]?.intValue {
      let isThere =
        try connection.integer("SELECT 1 FROM account WHERE rowid = ?", [SQLValue(account)]) != nil
      if !isThere { Self.forgetPerson(&row) }
    }
    for reference in Self.numbered.values {
      guard let old = row[reference]?.intValue.map(Int64.init) else { continue }
      row[reference] = renumbered[reference]?[old].map { .integer($0) } ?? .null
    }
  }

  /// Removes the data of a person: the account number, and comments on a change or a verdict.
  ///
  /// - Returns: whether there was any.
  mutating func forget(_ account: Int64) -> Bool {
    var isThere = false
    for (place, table) in tables.enumerated() {
      for (position, row) in table.rows.enumerated()
      where row["account_rowid"]?.intValue.map(Int64.init) == account {
        Self.forgetPerson(&tables[place].rows[position])
        isThere = true
      }
    }
    return isThere
  }

  private static func forgetPerson(_ row: inout JSONObject) {
    row["account_rowid"] = .null
    for name in ["comment", "note"] where row[name] != nil { row[name] = .null }
  }

  private func relink(
    _ rows: [JSONObject], of table: String, to device: Int64, _ connection: borrowing Connection
  ) throws {
    for row in rows {
      guard let rowid = row["rowid"]?.intValue else { continue }
      try connection.execute(
        "UPDATE \(table) SET device_rowid = ? WHERE rowid = ?",
        [.integer(device), SQLValue(rowid)])
    }
  }

  /// The columns of a table, the rowid first if other tables refer to it.
  private static func columns(
    of table: String, _ connection: borrowing Connection
  ) throws -> [String] {
    try connection.columns(of: table).filter { $0 != "public_point" }
  }
}

extension JSONValue {
  /// A stored value.
  package init(_ value: SQLValue) {
    switch value {
    case .null, .blob: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .double(number)
    case .text(let text): self = .string(text)
    }
  }
}
