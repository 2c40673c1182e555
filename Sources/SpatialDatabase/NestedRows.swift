internal import CSpatiaLite
package import JSON

/// The rows of another table as one column of a statement, so that one statement reads a row with all that belongs to
/// it:
///
///     SELECT name, \(NestedRows.column("position, kind", "FROM device_choice WHERE device_rowid = device.rowid"))
///     FROM device WHERE id = ?
///
/// The column is a JSON array with an array for each row, in any order, and NULL without rows. It uses the PostgreSQL
/// functions `json_agg` and `json_build_array`, which are added to SQLite here: PostgreSQL reserves the names of the
/// SQLite functions.
package enum NestedRows {
  /// - Parameters:
  ///   - columns: integers and texts of the other table.
  ///   - source: `FROM` the other table `WHERE` its rows belong to the row, found by an index.
  /// - Returns: an expression for a list of columns.
  package static func column(_ columns: String, _ source: String) -> String {
    "(SELECT CAST(json_agg(json_build_array(\(columns))) AS TEXT) \(source))"
  }

  static func add(to handle: OpaquePointer) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    sqlite3_create_function_v2(
      handle, "json_build_array", -1, flags, nil, buildArray, nil, nil, nil)
    sqlite3_create_function_v2(handle, "json_agg", 1, flags, nil, nil, addRow, endRows, nil)
  }
}

extension Row {
  /// The rows in a column of ``NestedRows``, in the order of their first columns, of which `keys` make a key.
  package func rows(_ column: Int, keys: Int) throws -> [[JSONValue]] {
    if isNull(column) { return [] }
    let rows = try withUTF8(column) { try JSONValue(parsing: Array($0)) }.arrayValue ?? []
    let all = rows.map { $0.arrayValue ?? [] }
    guard all.count > 1 else { return all }
    return all.sorted { one, other in
      for (a, b) in zip(one.prefix(keys), other.prefix(keys)) where a != b {
        if let a = a.intValue, let b = b.intValue { return a < b }
        return (a.stringValue ?? "").utf8.lexicographicallyPrecedes((b.stringValue ?? "").utf8)
      }
      return false
    }
  }
}

/// The rows that `json_agg` has seen.
private final class JSONRows {
  var json = JSONWriter()

  init() { json.beginArray() }
}

private func answer(_ json: JSONWriter, in context: OpaquePointer?) {
  json.bytes.withUnsafeBufferPointer { bytes in
    bytes.withMemoryRebound(to: CChar.self) { characters in
      sqlite_result_text(context, characters.baseAddress, Int32(clamping: characters.count))
    }
  }
}

private func text(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
  let start = sqlite3_value_text(value)
  return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
}

/// `json_build_array(…)`: an array of integers, numbers and texts.
private func buildArray(
  _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  var json = JSONWriter()
  json.beginArray()
  for value in UnsafeBufferPointer(start: values, count: Int(count)) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: json.integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: json.double(sqlite3_value_double(value))
    case SQLITE_TEXT: json.string(String(decoding: text(value), as: UTF8.self))
    default: json.null()
    }
  }
  json.endArray()
  answer(json, in: context)
}

/// A step of `json_agg(json)`.
private func addRow(
  _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
  guard
    let place = sqlite3_aggregate_context(context, size)?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  else { return sqlite3_result_error_nomem(context) }
  // SQLite calls `endRows`, which releases it, also after an error.
  let kept = place.pointee ?? Unmanaged.passRetained(JSONRows()).toOpaque()
  place.pointee = kept
  Unmanaged<JSONRows>.fromOpaque(kept).takeUnretainedValue().json.raw(utf8: text(values?.pointee))
}

/// The result of `json_agg(json)`.
private func endRows(_ context: OpaquePointer?) {
  // Zero bytes: nil if there was no row.
  guard
    let place = sqlite3_aggregate_context(context, 0)?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self), let kept = place.pointee
  else { return sqlite3_result_null(context) }
  let rows = Unmanaged<JSONRows>.fromOpaque(kept).takeRetainedValue()
  rows.json.endArray()
  answer(rows.json, in: context)
}
