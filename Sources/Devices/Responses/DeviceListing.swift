package import JSON
import PrivacyMap
package import SpatialDatabase

private import Glibc

/// Writes features of lists from the prepared values in `device_listing`
/// (`docs/decisions/0010-list-rows-as-prepared-json.md`).
package struct DeviceListing {
  /// The properties of a feature in a list.
  static let properties = DeviceProperty.ofLists.map(\.name)

  /// Separates two values of a listing.
  private static let separator: UInt8 = 0x1F

  /// The constant text before each value of a feature, operator included, concatenated.
  private let text: [UInt8]
  /// The end of each of these texts in ``text``.
  private let ends: [Int]
  /// The index in ``ends`` of the text before the operator, which is not a value of the listing.
  private let operatorPart: Int

  package init() {
    var parts = [
      #"{"type":"Feature","id":"#, #","geometry":{"type":"Point","coordinates":["#, ",",
    ]
    for (place, property) in DeviceProperty.ofLists.enumerated() {
      parts.append((place == 0 ? #"]},"properties":{"# : ",") + #""\#(property.name)":"#)
    }
    var text: [UInt8] = []
    ends = parts.map { part in
      text += part.utf8
      return text.count
    }
    self.text = text
    operatorPart = 3 + (DeviceProperty.ofLists.firstIndex { $0.name == "operator" } ?? 0)
  }

  /// Writes the features of these rows in order.
  ///
  /// - Parameters:
  ///   - rows: the rows of a page.
  ///   - json: the writer, inside an array.
  ///   - connection: the connection for all reads.
  ///   - writeOther: writes the feature of a row whose listing is not where the index expects it,
  ///     because the device has just changed. Writes nothing if the device is no longer public.
  /// - Returns: the number of features written without `writeOther`.
  /// - Throws: an error of the database, and the errors of `writeOther`.
  package func write(
    _ rows: [DeviceStore.Page.Entry], to json: inout JSONWriter,
    _ connection: borrowing Connection,
    writeOther: (DeviceStore.Page.Entry, inout JSONWriter) throws -> Void
  ) throws -> Int {
    let listed = try ListedRows(rows, connection)
    var count = 0
    for (place, row) in rows.enumerated() {
      let isWritten = listed.withListing(at: place) { values, operatorRow in
        listed.operators.withJSON(of: operatorRow) { answersFor in
          write(values, operator: answersFor, distance: row.distance, to: &json)
        }
      }
      if isWritten == true { count += 1 } else { try writeOther(row, &json) }
    }
    return count
  }

  /// - Returns: false, without writing anything, if the number of values is wrong.
  private func write(
    _ values: UnsafeBufferPointer<UInt8>, operator answersFor: UnsafeBufferPointer<UInt8>,
    distance: Double?, to json: inout JSONWriter
  ) -> Bool {
    var separators = 0
    for byte in values { separators &+= byte == Self.separator ? 1 : 0 }
    guard separators == ends.count - 2 else { return false }
    let last = distance.map { #","distance":\#(($0 * 10).rounded() / 10)"# } ?? ""
    let size = text.count + values.count + answersFor.count + last.utf8.count + 2
    json.raw(capacity: size) { room in
      text.withUnsafeBufferPointer { text in
        var room = FeatureRoom(room)
        var rest = values
        var start = 0
        for (place, end) in ends.enumerated() {
          room.put(UnsafeBufferPointer(rebasing: text[start..<end]))
          start = end
          if place == operatorPart {
            room.put(answersFor)
          } else {
            let count = Self.count(ofFirstValueIn: rest)
            room.put(UnsafeBufferPointer(rebasing: rest[..<count]))
            rest = UnsafeBufferPointer(rebasing: rest[min(count + 1, rest.count)...])
          }
        }
        for byte in last.utf8 { room.put(byte) }
        room.put(UInt8(ascii: "}"))
        room.put(UInt8(ascii: "}"))
        return room.count
      }
    }
    return true
  }

  private static func count(ofFirstValueIn values: UnsafeBufferPointer<UInt8>) -> Int {
    guard let start = values.baseAddress,
      let end = memchr(start, Int32(separator), values.count)
    else { return values.count }
    return UnsafeRawPointer(end) - UnsafeRawPointer(start)
  }
}

extension ListingKey {
  /// The key of a row of a device: its rowid, longitude, latitude and the number of its category.
  package static func of(_ row: borrowing Row) -> Int64? {
    guard let rowid = UInt32(exactly: row.int(0)), let category = UInt8(exactly: row.int(3)),
      let position = FixedPosition(longitude: row.double(1), latitude: row.double(2))
    else { return nil }
    return of(rowid: rowid, at: position, category: category)
  }
}

/// A buffer that is filled from its beginning. A write beyond its end traps: it would be a bug in the
/// size computation.
private struct FeatureRoom {
  private let room: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ room: UnsafeMutableBufferPointer<UInt8>) { self.room = room }

  mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    precondition(bytes.count <= room.count - count)
    guard let from = bytes.baseAddress, let to = room.baseAddress else { return }
    (to + count).update(from: from, count: bytes.count)
    count += bytes.count
  }

  mutating func put(_ byte: UInt8) {
    precondition(count < room.count)
    room[count] = byte
    count += 1
  }
}
