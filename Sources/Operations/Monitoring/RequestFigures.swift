import Metrics
package import Service
package import WebServer

/// Counts requests by operation and outcome, and their durations by group of operations.
///
/// Built once for all routes, so that counting a finished request takes no lock and no label can contain
/// text from a request.
package final class RequestFigures: Sendable {
  private struct Key: Hashable, Sendable {
    let method: Method
    let route: String
  }

  /// The counters of one operation.
  private final class Operation: Sendable {
    let name: String
    let group: String
    /// A counter for each method and each status class.
    let ended = CounterRow(count: RequestFigures.methods.count * RequestFigures.classes.count)
    /// Shared by all operations of a group.
    let durations: Histogram

    init(_ name: String, group: String, durations: Histogram) {
      self.name = name
      self.group = group
      self.durations = durations
    }
  }

  private static let methods = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "OTHER",
  ]
  private static let classes = ["1xx", "2xx", "3xx", "4xx", "5xx"]
  /// The operation and group of requests that matched no route.
  private static let none = "none"

  private let operations: [Key: Operation]
  private let unrouted: Operation
  /// In the order of output.
  private let all: [Operation]
  private let groups: [(name: String, durations: Histogram)]

  package init(_ routes: [Route], endpoints: [Endpoint]) {
    let declared = Dictionary(
      endpoints.map { (Key(method: $0.method, route: $0.path), $0) }
    ) { first, _ in first }
    var groups: [String: Histogram] = [:]
    var named: [String: Operation] = [:]
    func operation(_ name: String, _ group: String) -> Operation {
      let durations = groups[group] ?? .ofDurations()
      groups[group] = durations
      let operation = named[name] ?? Operation(name, group: group, durations: durations)
      named[name] = operation
      return operation
    }
    var operations: [Key: Operation] = [:]
    for route in routes {
      let key = Key(method: route.method, route: route.template)
      if let endpoint = declared[key] {
        operations[key] = operation(endpoint.id, Self.group(endpoint.tag))
      } else {
        let isAsset = route.template.hasPrefix("/assets/")
        operations[key] = operation(isAsset ? "asset" : "page", isAsset ? "assets" : "pages")
      }
    }
    unrouted = operation(Self.none, Self.none)
    self.operations = operations
    all = named.values.sorted { $0.name < $1.name }
    self.groups = groups.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Converts a tag such as `Data requests` to a label value.
  private static func group(_ tag: String) -> String {
    tag.lowercased().replacing(" ", with: "_")
  }

  /// Counts a finished request.
  package func observe(_ record: AccessRecord) {
    let operation = record.route.flatMap { find($0, record.method) } ?? unrouted
    let method = Self.methods.firstIndex(of: record.method.loggable) ?? Self.methods.count - 1
    let status = min(max(record.status.code / 100, 1), Self.classes.count) - 1
    operation.ended.add(at: method * Self.classes.count + status)
    operation.durations.observe(record.duration)
  }

  private func find(_ route: String, _ method: Method) -> Operation? {
    operations[Key(method: method == .head ? .get : method, route: route)]
  }

  /// All status classes of each operation and method requested so far, so that a first failure shows up
  /// as an increase.
  private var ended: [MetricSample] {
    all.flatMap { operation in
      let values = operation.ended.values
      return Self.methods.enumerated().flatMap { place, method -> [MetricSample] in
        let start = place * Self.classes.count
        let counts = values[start..<start + Self.classes.count]
        guard counts.contains(where: { $0 > 0 }) else { return [] }
        return zip(Self.classes, counts).map { status, count in
          MetricSample(Double(count), labels: [operation.name, operation.group, method, status])
        }
      }
    }
  }

  var families: [MetricFamily] {
    [
      MetricFamily(
        .counter, "farol_http_requests_total", "Requests answered.",
        labels: ["operation", "group", "method", "status"]
      ) { self.ended },
      MetricFamily(
        .histogram, "farol_http_request_duration_seconds",
        "Time from the request line to the last byte of the response.", labels: ["group"]
      ) { self.groups.map { MetricSample($0.durations, labels: [$0.name]) } },
    ]
  }
}
