import Foundation
import JSON
import Logging

/// How log lines look.
enum LogFormat {
  /// A logger to standard error, as text or as JSON.
  ///
  /// - Throws: ``InvalidSetting`` for another format.
  static func logger(_ flag: String?, _ environment: [String: String]) throws -> Logger {
    let isJSON = try isJSON(flag, environment)
    return Logger(label: "farol") { LineLogHandler(label: $0, isJSON: isJSON) }
  }

  /// The log of requests, in the same format.
  ///
  /// - Throws: ``InvalidSetting`` for another format.
  static func requestLog(_ flag: String?, _ environment: [String: String]) throws -> RequestLog {
    RequestLog(isJSON: try isJSON(flag, environment))
  }

  private static func isJSON(_ flag: String?, _ environment: [String: String]) throws -> Bool {
    let format = SettingReader(environment: environment).text(flag, "FAROL_LOG") ?? "text"
    guard ["text", "json"].contains(format) else {
      throw InvalidSetting(name: "FAROL_LOG", problem: "“\(format)” is neither text nor json.")
    }
    return format == "json"
  }
}

/// One line an event on standard error: time, level, message, metadata.
struct LineLogHandler: LogHandler {
  let label: String
  let isJSON: Bool
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
      .sorted { $0.key < $1.key }
    let line = isJSON ? json(event, all) : text(event, all)
    LogOutput.write(Array(line.utf8))
  }

  private func text(_ event: LogEvent, _ metadata: [(key: String, value: Logger.MetadataValue)])
    -> String
  {
    let pairs = metadata.map { " \($0.key)=\($0.value)" }.joined()
    return "\(Self.now) \(event.level) \(event.message)\(pairs)"
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
