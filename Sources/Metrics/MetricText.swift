/// Writes metrics as text for Prometheus.
package enum MetricText: Sendable {
  /// The text format of Prometheus, version 0.0.4
  /// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details).
  case prometheus
  /// OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/).
  case openMetrics

  /// The complete Content-Type.
  package var contentType: String {
    switch self {
    case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
    case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
    }
  }

  /// Writes all families in order; families without values are left out.
  package func written(_ families: [MetricFamily]) -> [UInt8] {
    var text = ""
    for family in families {
      let samples = family.samples()
      if !samples.isEmpty { write(family, samples, to: &text) }
    }
    if self == .openMetrics { text += "# EOF\n" }
    return Array(text.utf8)
  }

  private func write(_ family: MetricFamily, _ samples: [MetricSample], to text: inout String) {
    let name = self == .openMetrics ? family.baseName : family.name
    // In the order required by OpenMetrics.
    text += "# TYPE \(name) \(family.kind.rawValue)\n"
    if self == .openMetrics, let unit = family.unit { text += "# UNIT \(name) \(unit)\n" }
    text += "# HELP \(name) \(escapedHelp(family.help))\n"
    for sample in samples {
      let labels = zip(family.labels, sample.labels).map {
        "\($0)=\"\(Self.escaped($1))\""
      }
      switch sample.value {
      case .number(let value):
        text += "\(family.name)\(Self.braced(labels)) \(Self.number(value))\n"
      case .histogram(let reading):
        Self.write(reading, of: family.name, labels, to: &text)
      }
    }
  }

  private static func write(
    _ reading: Histogram.Reading, of name: String, _ labels: [String], to text: inout String
  ) {
    for bucket in reading.buckets {
      let bound = "le=\"\(number(bucket.bound))\""
      text += "\(name)_bucket\(braced(labels + [bound])) \(bucket.count)\n"
    }
    text += "\(name)_sum\(braced(labels)) \(number(reading.sum))\n"
    text += "\(name)_count\(braced(labels)) \(reading.count)\n"
  }

  private static func braced(_ labels: [String]) -> String {
    labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
  }

  /// In the number format of Go: integers without a fraction, otherwise the shortest text that gives the
  /// same double.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return "\(whole)" }
    return "\(value)"
  }

  /// In the plain text format, quotes are not escaped in help texts.
  private func escapedHelp(_ text: String) -> String {
    Self.escaped(text, quotes: self == .openMetrics)
  }

  /// Escapes backslashes, line ends and, with `quotes`, quotes as in label values.
  static func escaped(_ text: String, quotes: Bool = true) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
