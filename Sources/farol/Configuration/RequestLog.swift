import Foundation
import JSON
internal import Locking
import PrivacyMap
import WebServer

/// Writes one line per request to standard error, in the format of ``LineLogHandler``.
///
/// It writes bytes directly: using the metadata of a logger cost more than answering a small
/// request.
final class RequestLog: Sendable {
  private let format: LogFormat
  /// The second of the last line, and its text.
  private let clock = Locked((second: Int64.min, text: ""))

  init(format: LogFormat) { self.format = format }

  func write(_ record: AccessRecord) {
    LogOutput.write(format == .json ? json(record) : text(record))
  }

  private func text(_ record: AccessRecord) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(200)
    for part in [
      beginning, "request bytes=", String(record.bytes), " complete=",
      record.isComplete ? "true" : "false", " method=", record.method.loggable, " ms=",
      Self.milliseconds(record.duration), " route=", record.route ?? "-", " status=",
      String(record.status.code),
    ] {
      line.append(contentsOf: part.utf8)
    }
    return line
  }

  /// The text before the message.
  private var beginning: String { format == .journal ? "<6>" : now + " info " }

  private func json(_ record: AccessRecord) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    for (key, value) in [
      ("time", now), ("level", "info"), ("message", "request"), ("bytes", String(record.bytes)),
      ("complete", record.isComplete ? "true" : "false"), ("method", record.method.loggable),
      ("ms", Self.milliseconds(record.duration)), ("route", record.route ?? "-"),
      ("status", String(record.status.code)),
    ] {
      json.key(key)
      json.string(value)
    }
    json.endObject()
    return json.bytes
  }

  private var now: String {
    let second = Int64(time(nil))
    return clock.withLock { clock in
      if clock.second != second {
        clock = (second, Timestamp(secondsSinceEpoch: second).text)
      }
      return clock.text
    }
  }

  /// With two decimals.
  private static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let hundredths = seconds &* 100_000 &+ attoseconds / 10_000_000_000_000
    let fraction = hundredths % 100
    return "\(hundredths / 100)" + (fraction < 10 ? ".0" : ".") + "\(fraction)"
  }
}
