import JSON
import PrivacyMap

/// The messages of the stream, as the HTML Living Standard defines Server-Sent Events (§9.2).
enum LiveMessage {
  /// The milliseconds after which a browser connects again.
  private static let retry = 3_000

  /// The first message: every change after `sequence` follows.
  static func ready(_ sequence: Int64) -> [UInt8] {
    Array("retry: \(retry)\n".utf8) + message("ready", Self.number(sequence), id: sequence)
  }

  /// The missed changes are not sent one by one: the listener must read lists and counts again.
  static func reload(_ sequence: Int64) -> [UInt8] {
    message("reload", Self.number(sequence), id: sequence)
  }

  /// A device that matches, as a GeoJSON feature.
  static func device(_ feature: [UInt8], isAdded: Bool) -> [UInt8] {
    message(isAdded ? "added" : "changed", feature, id: nil)
  }

  /// A device that matched and no longer does.
  static func removed(_ id: DeviceID) -> [UInt8] {
    message("removed", json(["id": .string(id.text)]), id: nil)
  }

  /// Sets `Last-Event-ID` without an event. It follows the messages of a batch, so that a connection that
  /// breaks in between repeats the batch.
  static func reached(_ sequence: Int64) -> [UInt8] { Array("id: \(sequence)\n\n".utf8) }

  private static func number(_ sequence: Int64) -> [UInt8] {
    json(["sequence": .integer(sequence)])
  }

  private static func json(_ value: JSONValue) -> [UInt8] {
    var json = JSONWriter()
    json.value(value)
    return json.bytes
  }

  private static func message(_ event: String, _ data: [UInt8], id: Int64?) -> [UInt8] {
    var text = Array("event: \(event)\n".utf8)
    if let id { text += Array("id: \(id)\n".utf8) }
    return text + Array("data: ".utf8) + data + Array("\n\n".utf8)
  }
}
