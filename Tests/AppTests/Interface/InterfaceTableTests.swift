@testable import App
import WebServer
import Foundation
import PrivacyMap
@testable import Service
import Testing

/// `endpoints.tsv`, `parameters.tsv` and `endpoints.md` in `docs/reference` list every endpoint, parameter, filter and
/// property as the OpenAPI document has them. `make api-tables` writes them.
@Suite struct InterfaceTableTests {
  private static let folder = Repository.root.appendingPathComponent("docs/reference")
  private static let page = folder.appendingPathComponent("endpoints.md")

  let endpoints: [Endpoint]
  /// The parameters of all filters of devices, without those that follow from the queryable properties.
  let filters: [Parameter]
  let queryables: [Parameter]

  init() throws {
    let all = try TestApp().app.endpoints
    let filtered = try #require(all.first { $0.path == "/api/tiles/devices.json" }).parameters
    // As in the OpenAPI document, the methods of a path are together.
    var paths: [String] = []
    for endpoint in all where !paths.contains(endpoint.path) { paths.append(endpoint.path) }
    endpoints = paths.flatMap { path in all.filter { $0.path == path } }
    queryables = filtered.filter { $0.description.hasPrefix("Those whose ") }
    filters = filtered.filter { !$0.description.hasPrefix("Those whose ") }
  }

  /// Compares a generated part of the page, or writes it.
  private func check(_ part: String, _ rows: [String]) throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let opening = "<!-- \(part): made by `make api-tables` -->\n"
    let start = try #require(text.range(of: opening)?.upperBound)
    let end = try #require(text.range(of: "<!-- end of the \(part) -->")?.lowerBound)
    let table = "\n" + rows.joined(separator: "\n") + "\n\n"
    if Self.isWriting {
      try (text[..<start] + table + text[end...])
        .write(to: Self.page, atomically: true, encoding: .utf8)
    } else {
      compare("The \(part) in docs/reference/endpoints.md", String(text[start..<end]), table)
    }
  }

  /// Compares a generated file, or writes it.
  private func check(file name: String, _ rows: [String]) throws {
    let file = Self.folder.appendingPathComponent(name)
    let made = rows.joined(separator: "\n") + "\n"
    if Self.isWriting {
      try made.write(to: file, atomically: true, encoding: .utf8)
    } else {
      compare(
        "The rows of docs/reference/\(name)", try String(contentsOf: file, encoding: .utf8), made)
    }
  }

  private static var isWriting: Bool {
    ProcessInfo.processInfo.environment["FAROL_TABLES"] == "write"
  }

  private func compare(_ name: String, _ present: String, _ made: String) {
    func lines(_ text: String) -> Set<Substring> { Set(text.split(separator: "\n")) }
    let (missing, outdated) = (
      lines(made).subtracting(lines(present)), lines(present).subtracting(lines(made))
    )
    #expect(
      present == made,
      """
      \(name) are not up to date; `make api-tables` writes them.
      Missing: \(missing.sorted().joined(separator: "\n"))
      Outdated: \(outdated.sorted().joined(separator: "\n"))
      """)
  }

  // One test, because three parts are written to the same file.
  @Test func `the page and its lists are up to date`() throws {
    try check(file: "endpoints.tsv", endpointRows)
    try check(file: "parameters.tsv", parameterRows)
    try check("filters", ["| filter | meaning |", "|---|---|"] + filters.map(Self.row))
    try check("queryables", [Self.sentence(of: queryables)])
    try check(
      "properties",
      ["| property | value | set by | in |", "|---|---|---|---|"]
        + DeviceProperty.all.map(Self.row))
  }

  /// A row for each endpoint, by group.
  private var endpointRows: [String] {
    var tags: [String] = []
    for endpoint in endpoints where !tags.contains(endpoint.tag) { tags.append(endpoint.tag) }
    return ["group\tendpoint\teffect\tquery"]
      + tags.flatMap { tag in endpoints.filter { $0.tag == tag }.map(row) }
  }

  private func row(_ endpoint: Endpoint) -> String {
    let names = Set((filters + queryables).map(\.name))
    let takesFilters = names.isSubset(of: endpoint.queryNames)
    var query = takesFilters ? ["filters"] : []
    for parameter in endpoint.parameters where parameter.location == .query {
      if takesFilters && names.contains(parameter.name) { continue }
      query.append(parameter.name)
    }
    return [
      endpoint.tag, "\(endpoint.method.rawValue) \(endpoint.path)", endpoint.summary,
      query.joined(separator: ", "),
    ].joined(separator: "\t")
  }

  /// One row for each meaning of a name. Filters have a table of their own; `limit`, `cursor` and plain ids are explained
  /// once.
  private var parameterRows: [String] {
    struct Meaning { let name: String, text: String; var paths: [String] }
    var meanings: [Meaning] = []
    let known = Set((filters + queryables).map { [$0.name, $0.description] })
    for endpoint in endpoints {
      for parameter in endpoint.parameters {
        let text = parameter.description
        if known.contains([parameter.name, text]) || Self.isPlain(parameter) { continue }
        if let place = meanings.firstIndex(where: { $0.name == parameter.name && $0.text == text })
        {
          if !meanings[place].paths.contains(endpoint.path) {
            meanings[place].paths.append(endpoint.path)
          }
        } else {
          meanings.append(Meaning(name: parameter.name, text: text, paths: [endpoint.path]))
        }
      }
    }
    meanings.sort { ($0.name, $0.paths.count) < ($1.name, $1.paths.count) }
    return ["parameter\tof\tmeaning"]
      + meanings.map { meaning in
        let isOnly = meanings.filter { $0.name == meaning.name }.count == 1
        let paths =
          isOnly || meaning.paths.count > 3
          ? "" : meaning.paths.joined(separator: ", ")
        return "\(meaning.name)\t\(paths)\t\(meaning.text)"
      }
  }

  /// Whether the introduction of the page explains it: the id of a thing, or the size and the start of a page.
  private static func isPlain(_ parameter: Parameter) -> Bool {
    let text = parameter.description
    return switch parameter.name {
    case "limit": text.hasSuffix(" on a page; a larger number counts as the maximum.")
    case "cursor": text.hasPrefix("Where a page begins")
    default:
      parameter.location == .path
        && ["The UUID of ", "The id of ", "The number of the ", "The tile's "].contains {
          text.hasPrefix($0)
        }
    }
  }

  /// The queryables in one sentence for each kind of comparison.
  private static func sentence(of queryables: [Parameter]) -> String {
    func names(_ verb: String) -> String {
      queryables.filter { $0.description == "Those whose `\($0.name)` \(verb) any of these." }
        .map { "`\($0.name)`" }.joined(separator: ", ")
    }
    return
      "Those whose property is any of these: \(names("is")). Those whose property holds any of these: "
      + "\(names("holds"))."
  }

  @Test func `each queryable is in one of the sentences`() {
    let sentence = Self.sentence(of: queryables)
    for queryable in queryables { #expect(sentence.contains("`\(queryable.name)`")) }
  }

  private static func row(_ parameter: Parameter) -> String {
    "| `\(parameter.name)` | \(parameter.description) |"
  }
  private static let imported = Set(DeviceProperty.plain.map(\.name))

  private static func row(_ property: DeviceProperty) -> String {
    let places = [
      ("lists", property.isInLists), ("filters", property.isQueryable),
      ("imports", imported.contains(property.name)),
    ].filter { $0.1 }.map { $0.0 }
    let cells = [
      "`\(property.name)`", words(property.entry) ?? words(property.kind),
      property.isEntered ? "users" : "server",
      places.isEmpty ? "–" : places.joined(separator: ", "),
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
