import Foundation
import JSON
import Logging

/// The format of log lines.
enum LogFormat: String {
  /// Time, level, message, metadata.
  case text
  /// The same as a JSON object.
  case json
  /// For the journal of systemd, which records the time itself and reads a priority at the start of each line: `<6>`,
  /// then the same as text (sd-daemon(3)).
  case journal

  /// The configured format. By default the journal's if standard error leads there, otherwise text.
  ///
  /// - Throws: ``InvalidSetting`` for an unknown format.
  init(_ flag: String?, _ environment: [String: String]) throws {
    guard let name = SettingReader(environment: environment).text(flag, "FAROL_LOG") else {
      self = Self.leadsToJournal(environment) ? .journal : .text
      return
    }
    guard let format = Self(rawValue: name) else {
      throw InvalidSetting(
        name: "FAROL_LOG", problem: "“\(name)” is neither text nor json nor journal.")
    }
    self = format
  }

  /// A logger to standard error.
  var logger: Logger {
    Logger(label: "farol") { LineLogHandler(label: $0, format: self) }
  }

  /// The log of requests.
  var requestLog: RequestLog { RequestLog(format: self) }

  /// Whether standard error is the stream that `JOURNAL_STREAM` identifies by device and inode, as
  /// systemd.exec(5) requires: a child process may have a different one.
  private static func leadsToJournal(_ environment: [String: String]) -> Bool {
    var status = stat()
    guard let stream = environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &status) == 0 else {
      return false
    }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}

extension Logger.Level {
  /// The priority according to syslog(3).
  var priority: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}

/// Writes one line per event to standard error.
struct LineLogHandler: LogHandler {
  let label: String
  let format: LogFormat
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
      .sorted { $0.key < $1.key }
    let line =
      switch format {
      case .text: "\(Self.now) \(event.level) " + Self.text(event, all)
      case .json: json(event, all)
      // A line is an entry, and only the first line would have the priority.
      case .journal:
        "<\(event.level.priority)>"
          + Self.text(event, all).split(whereSeparator: \.isNewline).joined(separator: " ")
      }
    LogOutput.write(Array(line.utf8))
  }

  private static func text(
    _ event: LogEvent, _ metadata: [(key: String, value: Logger.MetadataValue)]
  ) -> String {
    "\(event.message)" + metadata.map { " \($0.key)=\($0.value)" }.joined()
  }

  private func json(_ event: LogEvent, _ metadata: [(key: String, value: Logger.MetadataValue)])
    -> String
  {
    var json = JSONWriter()
    json.beginObject()
    for (key, value) in [
      ("time", Self.now), ("level", event.level.rawValue), ("message", "\(event.message)"),
    ] {
      json.key(key)
      json.string(value)
    }
    for (key, value) in metadata {
      json.key(key)
      json.string("\(value)")
    }
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static var now: String {
    Date().formatted(.iso8601)
  }
}
