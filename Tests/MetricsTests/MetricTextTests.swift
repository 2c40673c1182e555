import Testing

@testable import Metrics

/// The text for Prometheus follows its specification.
@Suite struct MetricTextTests {
  private func text(_ families: MetricFamily..., as format: MetricText = .prometheus) -> String {
    String(decoding: format.written(families), as: UTF8.self)
  }

  private func family(
    _ kind: MetricFamily.Kind, _ name: String, help: String = "Help.", labels: [String] = [],
    _ samples: MetricSample...
  ) -> MetricFamily {
    MetricFamily(kind, name, help, labels: labels) { samples }
  }

  @Test func `a counter has its type, its help and its value`() {
    let counter = Counter()
    counter.add(3)
    #expect(
      text(.counter("farol_things_total", "Things.", counter)) == """
        # TYPE farol_things_total counter
        # HELP farol_things_total Things.
        farol_things_total 3

        """)
  }

  @Test func `OpenMetrics names the family without total, states its unit, and ends`() {
    let counter = family(.counter, "farol_work_seconds_total", MetricSample(1.5))
    #expect(
      text(counter, as: .openMetrics) == """
        # TYPE farol_work_seconds counter
        # UNIT farol_work_seconds seconds
        # HELP farol_work_seconds Help.
        farol_work_seconds_total 1.5
        # EOF

        """)
  }

  @Test func `labels are in braces in the order of their names`() {
    let gauge = family(
      .gauge, "farol_level", labels: ["one", "other"], MetricSample(1, labels: ["a", "b"]),
      MetricSample(-2, labels: ["", "c"]))
    #expect(text(gauge).contains("\nfarol_level{one=\"a\",other=\"b\"} 1\n"))
    #expect(text(gauge).contains("\nfarol_level{one=\"\",other=\"c\"} -2\n"))
  }

  @Test func `backslashes, quotes and line breaks are escaped where required`() {
    let label = family(.gauge, "farol_level", labels: ["a"], MetricSample(1, labels: ["\\\"\nç"]))
    #expect(text(label).contains(#"farol_level{a="\\\"\nç"} 1"#))
    let help = family(.gauge, "farol_level", help: "\\ \" \n.", MetricSample(1))
    #expect(text(help).contains(#"# HELP farol_level \\ " \n."#))
    #expect(text(help, as: .openMetrics).contains(#"# HELP farol_level \\ \" \n."#))
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (0.25, "0.25"), (1e15, "1000000000000000"),
    (1e300, "1e+300"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
  ])
  func `numbers have the format of Go`(number: Double, written: String) {
    #expect(text(family(.gauge, "farol_level", MetricSample(number))).hasSuffix(" \(written)\n"))
  }

  @Test func `buckets of a histogram are cumulative and end with the total`() {
    let histogram = Histogram.ofDurations(microseconds: [1_000, 250_000])
    for duration in [Duration.microseconds(900), .milliseconds(1), .milliseconds(251)] {
      histogram.observe(duration)
    }
    #expect(
      text(.histogram("farol_work_seconds", "Work.", histogram)) == """
        # TYPE farol_work_seconds histogram
        # HELP farol_work_seconds Work.
        farol_work_seconds_bucket{le="0.001"} 2
        farol_work_seconds_bucket{le="0.25"} 2
        farol_work_seconds_bucket{le="+Inf"} 3
        farol_work_seconds_sum 0.2529
        farol_work_seconds_count 3

        """)
  }

  @Test func `a family without values is left out`() {
    #expect(text(family(.gauge, "farol_level")).isEmpty)
    #expect(text(family(.gauge, "farol_level"), as: .openMetrics) == "# EOF\n")
  }

  @Test func `every metric of the process has a value and a unit in its name`() throws {
    let written = text(MetricFamily.ofProcess[0])
    #expect(written.contains("process_cpu_seconds_total "))
    for family in MetricFamily.ofProcess { #expect(family.samples().count == 1, "\(family.name)") }
    let process = try #require(ProcessFigures())
    #expect(process.residentBytes > 1_000_000)
    #expect(process.startedAt > 1_700_000_000)
    #expect(process.threads >= 1)
  }
}
