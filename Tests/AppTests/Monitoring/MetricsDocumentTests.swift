@testable import App
import Foundation
import Metrics
@testable import Operations
import Testing

/// `docs/reference/metrics.tsv` describes every metric, and no others; `metrics.md` names only known ones.
@Suite struct MetricsDocumentTests {
  let families: [MetricFamily]
  /// The cells of each row.
  let rows: [[String]]

  init() throws {
    families = try TestApp().app.monitoring.families
    rows = try Self.text("metrics.tsv").split(separator: "\n").dropFirst()
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    try #require(rows.allSatisfy { $0.count == 5 })
  }

  private static func text(_ name: String) throws -> String {
    let file = Repository.root.appendingPathComponent("docs/reference/\(name)")
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test func `the page names only known metrics`() throws {
    let known = Set(rows.compactMap(\.first))
    let named = try Self.text("metrics.md").split(separator: "`").map(String.init)
      .filter { ($0.hasPrefix("farol_") || $0.hasPrefix("process_")) && !$0.contains(" ") }
    #expect(named.count > 10)
    #expect(Set(named).subtracting(known).isEmpty)
  }

  @Test func `every metric has a row, with its type, its unit and its labels`() throws {
    for family in families {
      let row = try #require(rows.first { $0[0] == family.name }, "\(family.name)")
      #expect(row[1] == family.kind.rawValue, "\(family.name)")
      #expect(row[2] == family.unit ?? "–", "\(family.name)")
      let labels = family.labels.joined(separator: ", ")
      #expect(row[3] == (labels.isEmpty ? "–" : labels), "\(family.name)")
      #expect(row[4].hasPrefix(family.help), "\(family.name)")
    }
    #expect(families.count > 50)
  }

  @Test func `no row describes an unknown metric, or one twice`() {
    let names = families.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(rows.map { $0[0] }.sorted() == names.sorted())
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
