/// One value of a metric, with its label values.
package struct MetricSample: Sendable {
  /// Values of the labels of its family, in order.
  package let labels: [String]
  package let value: Value

  package enum Value: Sendable {
    case number(Double)
    case histogram(Histogram.Reading)
  }

  package init(_ value: Double, labels: [String] = []) {
    self.labels = labels
    self.value = .number(value)
  }

  package init(_ histogram: Histogram, labels: [String] = []) {
    self.labels = labels
    value = .histogram(histogram.reading)
  }
}

/// A metric in Prometheus terms: a name, a type and its values.
///
/// Names follow https://prometheus.io/docs/practices/naming: the name contains the unit as a base unit
/// (seconds, bytes), and a counter ends in `_total`.
package struct MetricFamily: Sendable {
  package enum Kind: String, Sendable {
    case counter, gauge, histogram
  }

  package let name: String
  package let kind: Kind
  /// One sentence.
  package let help: String
  /// Names of its labels.
  package let labels: [String]
  /// Returns the current values; called for every request.
  package let samples: @Sendable () -> [MetricSample]

  package init(
    _ kind: Kind, _ name: String, _ help: String, labels: [String] = [],
    samples: @escaping @Sendable () -> [MetricSample]
  ) {
    self.name = name
    self.kind = kind
    self.help = help
    self.labels = labels
    self.samples = samples
  }

  /// A counter without labels.
  package static func counter(
    _ name: String, _ help: String, _ counter: Counter
  ) -> MetricFamily {
    MetricFamily(.counter, name, help) { [MetricSample(Double(counter.value))] }
  }

  /// Counters distinguished by a label.
  package static func counter<Case>(
    _ name: String, _ help: String, by label: String, _ counters: Counters<Case>
  ) -> MetricFamily {
    MetricFamily(.counter, name, help, labels: [label]) { counters.samples }
  }

  /// A gauge without labels; left out while `value` is nil.
  package static func gauge(
    _ name: String, _ help: String, _ value: @escaping @Sendable () -> Double?
  ) -> MetricFamily {
    MetricFamily(.gauge, name, help) { value().map { [MetricSample($0)] } ?? [] }
  }

  package static func gauge(_ name: String, _ help: String, _ gauge: Gauge) -> MetricFamily {
    .gauge(name, help) { Double(gauge.value) }
  }

  /// A histogram without labels.
  package static func histogram(
    _ name: String, _ help: String, _ histogram: Histogram
  ) -> MetricFamily {
    MetricFamily(.histogram, name, help) { [MetricSample(histogram)] }
  }

  /// The name without the suffix of counters.
  package var baseName: String {
    kind == .counter && name.hasSuffix("_total") ? String(name.dropLast(6)) : name
  }

  /// The unit that the name ends in; nil for counts.
  package var unit: String? {
    ["seconds", "bytes"].first { baseName.hasSuffix("_\($0)") }
  }
}
