import Foundation
import Testing
import WebServer

/// The response of `/metrics`, parsed.
struct MetricPage {
  let text: String
  /// Values by name and labels, as written in the response.
  private let values: [String: Double]

  init(_ text: String) {
    self.text = text
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    values = Dictionary(
      lines.compactMap { line in
        guard let space = line.lastIndex(of: " "), let value = Double(line[space...].dropFirst())
        else { return nil }
        return (String(line[..<space]), value)
      }
    ) { first, _ in first }
  }

  subscript(_ name: String) -> Double? { values[name] }
}

extension TestApp {
  /// The metrics of an instance that allows access from this machine.
  var metrics: MetricPage { MetricPage(send(.get, "/metrics", from: "127.0.0.1").text) }
}
