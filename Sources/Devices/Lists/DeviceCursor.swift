import Foundation
import JSON
import Service

/// The position at which a page of devices ended. Opaque to clients, carried by `next` links.
///
/// It holds the sort keys and the rowid, so that pages stay correct while rows are added. It also holds a digest of
/// filter and order: a cursor is refused under a different filter or order. It does not depend on the limit.
package struct DeviceCursor: Equatable, Sendable {
  /// The values of the sort keys of the last row; nil is NULL.
  var keys: [String?]
  /// The nearness or distance of the last row, where the list is sorted by distance.
  var distance: Double?
  package var rowid: Int64
  /// ``digest(of:)`` of the filter and the order.
  var digest: String

  /// Reads a cursor of ``text``.
  ///
  /// - Throws: ``InvalidInput`` when it is malformed, or belongs to another filter or order.
  package init(text: String, digest expected: String, keyCount: Int, sortedByDistance: Bool) throws
  {
    guard text.utf8.count <= 4_000, let data = Self.decoded(text),
      let members = try? JSONValue(parsing: [UInt8](data)).arrayValue, members.count == 4,
      let digest = members[0].stringValue, let rowid = members[1].intValue, rowid >= 0,
      let keys = members[3].arrayValue
    else { throw InvalidInput("cursor", Message("error.cursor")) }
    let distance = members[2].numberValue
    guard digest == expected, keys.count == keyCount, (distance != nil) == sortedByDistance,
      keys.allSatisfy({ $0.isNull || $0.stringValue != nil })
    else { throw InvalidInput("cursor", Message("error.cursor_of_another_list")) }
    self.init(
      keys: keys.map(\.stringValue), distance: distance, rowid: Int64(rowid), digest: digest)
  }

  package init(keys: [String?], distance: Double?, rowid: Int64, digest: String) {
    self.keys = keys
    self.distance = distance
    self.rowid = rowid
    self.digest = digest
  }

  /// URL-safe text (base64url, RFC 4648 §5).
  package var text: String {
    var json = JSONWriter()
    json.beginArray()
    json.string(digest)
    json.integer(rowid)
    if let distance { json.double(distance) } else { json.null() }
    json.beginArray()
    for key in keys { if let key { json.string(key) } else { json.null() } }
    json.endArray()
    json.endArray()
    return Data(json.bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private static func decoded(_ text: String) -> Data? {
    let padded = text.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4))
  }

  /// A short fingerprint of the request parameters (FNV-1a, 64 bits). It catches mistakes; an attacker who forges it
  /// only breaks their own paging.
  package static func digest(of parts: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in parts.joined(separator: "\u{1F}").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return String(hash, radix: 36)
  }
}
