import JSON
import PrivacyMap

/// The messages of the stream, as the HTML Living Standard defines Server-Sent Events (§9.2).
enum LiveMessage {
  /// The milliseconds after which a browser connects again.
  private static let retry = 3_000
  /// The same for a listener whose filter costs too much.
  private static let longRetry = 60_000
  /// The maximum number of bytes of a piece of several messages.
  private static let piece = 65_536

  /// Why the server ends a stream.
  enum Reason: String, Error {
    /// The filter takes too long.
    case slow = "filter_too_slow"
    /// The filter cannot be evaluated.
    case failed = "filter_failed"
  }

  /// The first message: every change after `sequence` follows. Nil if the number of the client is unknown here.
  static func ready(_ sequence: Int64?) -> [UInt8] {
    let data = json(["sequence": sequence.map { .integer($0) } ?? .null])
    return Array("retry: \(retry)\n".utf8) + message("ready", data, id: sequence)
  }

  /// The missed changes are not sent one by one: the listener must read lists and counts again.
  static func reload(_ sequence: Int64) -> [UInt8] {
    message("reload", json(["sequence": .integer(sequence)]), id: sequence)
  }

  /// The last message before the server ends the stream. It has no id, because it contains no change.
  static func closing(_ sequence: Int64, _ reason: Reason) -> [UInt8] {
    let data = json(["sequence": .integer(sequence), "reason": .string(reason.rawValue)])
    return Array("retry: \(longRetry)\n".utf8) + message("reload", data, id: nil)
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

  /// Messages in their order, joined to pieces that a slow listener has room for.
  static func pieces(_ messages: [[UInt8]]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var last: [UInt8] = []
    for message in messages {
      if !last.isEmpty, last.count + message.count > piece {
        pieces.append(last)
        last = []
      }
      last += message
    }
    if !last.isEmpty { pieces.append(last) }
    return pieces
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
