import Foundation
import JSON
import PrivacyMap

/// Examples and documents with which all Farol implementations are tested.
enum SharedExamples {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  static func json(_ path: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text(path).utf8))
  }

  /// The `examples` of a file of `seed/rights`.
  static func examples(_ name: String) throws -> [JSONValue] {
    try json("seed/rights/\(name).json")["examples"]?.arrayValue ?? []
  }

  /// The rule of a country; a country without known holidays has weekends only.
  static func rule(of country: String) throws -> DeadlineRule {
    let days = try json("seed/rights/holidays.json")["countries"]?[country]?.arrayValue ?? []
    return DeadlineRule(
      holidays: Set(days.compactMap { $0.stringValue.flatMap { Day(text: $0) } }))
  }
}
