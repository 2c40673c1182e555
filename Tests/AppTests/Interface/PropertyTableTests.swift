@testable import App
import Foundation
import PrivacyMap
@testable import Service
import Testing

/// The tables of properties in `docs/reference/api.md` are those of `DeviceProperty.all`.
@Suite struct PropertyTableTests {
  private static let page = Repository.root.appendingPathComponent("docs/reference/api.md")

  /// Compares a generated part of the page, or writes it.
  private func check(_ part: String, _ rows: [String]) throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let opening = "<!-- \(part): made by `make property-tables` -->\n"
    let start = try #require(text.range(of: opening)?.upperBound)
    let end = try #require(text.range(of: "<!-- end of the \(part) -->")?.lowerBound)
    let table = "\n" + rows.joined(separator: "\n") + "\n\n"
    if ProcessInfo.processInfo.environment["FAROL_PROPERTIES"] == "write" {
      try (text[..<start] + table + text[end...])
        .write(to: Self.page, atomically: true, encoding: .utf8)
    } else {
      let isPresent = text[start..<end] == table
      let present = text[start..<end].split(separator: "\n").map(String.init)
      let (missing, outdated) = (Set(rows).subtracting(present), Set(present).subtracting(rows))
      #expect(
        isPresent,
        """
        The \(part) in docs/reference/api.md are not up to date; `make property-tables` writes them.
        Missing: \(missing.sorted().joined(separator: "\n"))
        Outdated: \(outdated.sorted().joined(separator: "\n"))
        """)
    }
  }

  @Test func `the page has the present tables`() throws {
    try check(
      "properties",
      ["| property | value | set by | in lists | filter | import |", "|---|---|---|---|---|---|"]
        + DeviceProperty.all.map(Self.row))
    let endpoint = try #require(
      try TestApp().app.endpoints.first { $0.path == "/api/tiles/devices.json" })
    let queryables = endpoint.parameters.filter { $0.description.hasPrefix("Those whose ") }
    try check(
      "queryables",
      ["| parameter | meaning |", "|---|---|"]
        + queryables.map { "| `\($0.name)` | \($0.description) |" })
  }

  private static let imported = Set(DeviceProperty.plain.map(\.name))

  private static func row(_ property: DeviceProperty) -> String {
    func mark(_ isTrue: Bool) -> String { isTrue ? "yes" : "–" }
    let cells = [
      "`\(property.name)`", words(property.entry) ?? words(property.kind),
      property.isEntered ? "users" : "server", mark(property.isInLists),
      mark(property.isQueryable), mark(imported.contains(property.name)),
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  /// The values that people can set; nil if the type says all.
  private static func words(_ entry: DeviceProperty.Entry) -> String? {
    switch entry {
    case .text(_, let length, let lines):
      "\(lines ? "text with lines" : "text") of at most \(length.upperBound) characters"
    case .code(_, let scheme): "code of `\(scheme.rawValue)`"
    case .codes(_, let scheme, _): "list of codes of `\(scheme.rawValue)`"
    case .word(_, let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .integer(_, let range): "whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(_, let numbers): words(numbers)
    case .duration: "ISO 8601 duration, `none` or `indefinite`"
    case .date: "ISO 8601 year, month or day"
    case .day: "ISO 8601 day"
    case .bearings: "list of at most 36 directions, in degrees from 0 to below 360"
    case .own, .computed: nil
    }
  }

  private static func words(_ numbers: DeviceProperty.Numbers) -> String {
    func whole(_ number: Double) -> String {
      Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
    let (low, high) = (whole(numbers.range.lowerBound), whole(numbers.range.upperBound))
    let range = numbers.isAboveLowest ? "above \(low), at most \(high)" : "from \(low) to \(high)"
    return "number \(range), in \(numbers.unit)"
  }

  private static func words(_ kind: DeviceProperty.Kind) -> String {
    switch kind {
    case .text, .licence: "text"
    case .integer: "whole number"
    case .number: "number"
    case .flag: "true or false"
    case .time: "time (RFC 3339, UTC)"
    case .day: "ISO 8601 day"
    case .codes: "list of codes"
    case .numbers: "list of numbers"
    case .offeredChoices, .claims, .photos: "list of objects"
    case .answersFor, .source, .references, .tags, .statement, .registered: "object"
    }
  }
}
