import Metrics
import Operations
import WebServer

/// The metrics recorded for each request, without the request: for `farol-bench metrics`.
package struct BareCounting: Sendable {
  /// One kind of counting, repeated `times` times.
  package typealias Step = (name: String, run: @Sendable (_ times: Int) -> Void)

  package let steps: [Step]

  /// Uses as many routes as the API has. All count into one operation, so that threads contend for the
  /// same counters.
  package init() {
    var router = Router()
    for number in 0..<200 {
      router.get("/api/collections/things\(number)/items/{id}") { _ in .noContent }
    }
    let figures = RequestFigures(router.routes, endpoints: [])
    let record = AccessRecord(
      method: .get, route: "/api/collections/things77/items/{id}", status: .ok, bytes: 1_000,
      duration: .microseconds(700), isComplete: true)
    let counter = Counter()
    let histogram = Histogram.ofDurations()
    steps = [
      ("counter", { for _ in 0..<$0 { counter.add() } }),
      ("histogram", { for _ in 0..<$0 { histogram.observe(.microseconds(700)) } }),
      ("request", { for _ in 0..<$0 { figures.observe(record) } }),
    ]
  }
}
