@testable import App
import Foundation
import Metrics
@testable import Operations
import Testing

/// `docs/reference/metrics.md` describes every metric, and no others.
@Suite struct MetricsDocumentTests {
  let families: [MetricFamily]
  /// The cells of each row.
  let rows: [[String]]

  init() throws {
    families = try TestApp().app.monitoring.families
    let file = Repository.root.appendingPathComponent("docs/reference/metrics.md")
    rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| `farol_") || $0.hasPrefix("| `process_") }
      .map { line in
        line.split(separator: "|", omittingEmptySubsequences: false)
          .map { $0.trimmingCharacters(in: .whitespaces) }
      }
  }

  @Test func `every metric has a row, with its type, its unit and its labels`() throws {
    for family in families {
      let row = try #require(rows.first { $0[1] == "`\(family.name)`" }, "\(family.name)")
      #expect(row[2] == family.kind.rawValue, "\(family.name)")
      #expect(row[3] == family.unit ?? "–", "\(family.name)")
      let labels = family.labels.map { "`\($0)`" }.joined(separator: ", ")
      #expect(row[4] == (labels.isEmpty ? "–" : labels), "\(family.name)")
      #expect(row[5].hasPrefix(family.help), "\(family.name)")
    }
    #expect(families.count > 50)
  }

  @Test func `no row describes an unknown metric, or one twice`() {
    let names = families.map { "`\($0.name)`" }
    #expect(Set(names).count == names.count)
    #expect(rows.map { $0[1] }.sorted() == names.sorted())
  }

  @Test func `names follow the conventions of Prometheus`() {
    for family in families {
      #expect(family.name.hasSuffix("_total") == (family.kind == .counter), "\(family.name)")
      #expect(
        family.name.allSatisfy { $0.isLowercase || $0 == "_" }, "\(family.name)")
      #expect(family.help.hasSuffix("."), "\(family.name)")
      // Reserved for the samples of histograms.
      for end in ["_bucket", "_count", "_sum", "_info_total"] {
        #expect(!family.name.hasSuffix(end), "\(family.name)")
      }
    }
  }

  @Test func `labels have a few fixed sorts of values, and none identifies a person`() {
    let known: Set = [
      "operation", "group", "method", "status", "place", "reason", "queue", "outcome",
      "kind", "version", "schema",
    ]
    #expect(Set(families.flatMap(\.labels)).subtracting(known).isEmpty)
  }

  @Test func `every sample has a value for each of its labels`() {
    for family in families {
      for sample in family.samples() {
        #expect(sample.labels.count == family.labels.count, "\(family.name)")
      }
    }
  }
}
