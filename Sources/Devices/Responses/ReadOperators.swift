import JSON
import SpatialDatabase

/// The operators of the devices of a page, as JSON.
struct ReadOperators {
  private static let nobody = Array("null".utf8)
  /// The columns that ``keep(_:_:at:)`` reads.
  static let columns = names.map { "operator.\($0)" }.joined(separator: ", ")
  /// As many without an operator.
  static let noColumns = names.map { _ in "NULL" }.joined(separator: ", ")
  private static let names = [
    "name", "kind", "contact", "privacy_policy", "data_protection_contact",
  ]
  private static let selection = "SELECT \(columns) FROM operator WHERE rowid = ?"

  private var places: [Int64: Range<Int>] = [:]
  /// The JSON of all operators.
  private var bytes: [UInt8] = []

  /// Reads the operators in these rows that are not kept yet, with one statement. The rows are in order and all
  /// different.
  mutating func read(_ all: [Int64], _ connection: borrowing Connection) throws {
    let rows = places.isEmpty ? all : all.filter { places[$0] == nil }
    guard !rows.isEmpty else { return }
    places.reserveCapacity(rows.count)
    try connection.forEach(Self.selection, keys: rows) { place, row in
      keep(rows[place], row, at: 0)
    }
  }

  /// Keeps an operator whose ``columns`` are in a row, unless it is known.
  mutating func keep(_ rowid: Int64, _ row: borrowing Row, at column: Int) {
    guard places[rowid] == nil else { return }
    var json = JSONWriter()
    DeviceGeoJSON.writeOperator(row, at: column, to: &json)
    let start = bytes.count
    bytes += json.bytes
    places[rowid] = start..<bytes.count
  }

  /// Passes an operator as JSON to `body`: `null` if there is no operator.
  func withJSON<R>(of rowid: Int64?, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    guard let rowid, let place = places[rowid] else {
      return Self.nobody.withUnsafeBufferPointer(body)
    }
    return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[place])) }
  }
}
