import JSON
import PrivacyMap
import Testing
import WebServer

extension TestApp {
  /// `GET /api/statistics` with parameters that may be repeated.
  func statistics(_ query: [(String, String)] = []) throws -> Statistics {
    let target = Request.target("/api/statistics", query)
    let answer = send(target: target)
    try #require(answer.status == .ok, "\(target): \(answer.text)")
    return Statistics(json: try answer.json)
  }
}

/// Statistics from a response, of all devices or of one area.
struct Statistics {
  let json: JSONValue

  var total: Int? { json["total"]?.intValue }

  /// Counts by the names of the group under each property; `-` is unknown.
  func counts(_ properties: String...) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for group in json["groups"]?.arrayValue ?? [] {
      let keys = properties.map { group[$0]?.stringValue ?? "-" }.joined(separator: " ")
      #expect(counts[keys] == nil, "\(keys) comes twice")
      counts[keys] = try #require(group["count"]?.intValue)
    }
    return counts
  }

  func headline(_ name: String) -> Int? { json["headline"]?[name]?["count"]?.intValue }

  /// A column of the series, in the order of the response.
  func column(_ name: String) -> [Int] {
    (json["series"]?.arrayValue ?? []).compactMap { $0[name]?.intValue }
  }

  /// The first days of the series.
  var starts: [String] {
    (json["series"]?.arrayValue ?? []).compactMap { $0["start"]?.stringValue }
  }

  var areas: [Statistics] { (json["areas"]?.arrayValue ?? []).map { Statistics(json: $0) } }

  /// Counts of cells as `x y`.
  var cells: [String: Int] {
    var cells: [String: Int] = [:]
    for cell in json["grid"]?["cells"]?.arrayValue ?? [] {
      cells["\(cell["x"]?.intValue ?? -1) \(cell["y"]?.intValue ?? -1)"] = cell["count"]?.intValue
    }
    return cells
  }
}
