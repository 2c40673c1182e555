import Devices
import Import
import JSON
import Logging
package import Metrics
import PrivacyMap
import Secrets
package import Service
import WebServer

/// `GET /api/live`: changes of public devices as they happen (Server-Sent Events).
package struct LiveRoutes: Feature {
  private let parameters: DeviceParameters
  private let vocabulary: Vocabulary
  private let hub: LiveHub
  private let maximum: Int

  /// `maximum` is the number of listeners at once.
  package init(_ instance: Instance) throws {
    let store: DeviceStore = try instance.part()
    parameters = try instance.part()
    maximum = instance.settings.liveListeners
    vocabulary = store.vocabulary
    let writer = DeviceGeoJSON(
      properties: DeviceProperty.ofLists, publicTags: try instance.given())
    hub = LiveHub(store: LiveStore(store: store, writer: writer), logger: instance.logger)
  }

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "getLiveChanges", "/api/live", tag: "Devices",
        summary: "Changes of devices in a box and of a kind, as they happen.",
        parameters: parameters.declared + [
          .query(
            "after", .text(maxLength: 20),
            "The number of the last change seen, where the client sends no `Last-Event-ID`.")
        ],
        answers: [
          .ok("A stream of Server-Sent Events without an end.", "text/event-stream"),
          .refusal(503, "As many clients listen as the instance allows."),
          .refusal(
            429,
            "Much of this network waits already, or its filters took much time; Retry-After states when to try again."
          ),
        ], listen)
    ]
  }

  package var metrics: [MetricFamily] {
    [
      MetricFamily(
        .gauge, "farol_live_listeners", "Clients that listen to live changes."
      ) { [hub] in [MetricSample(Double(hub.count))] }
    ]
  }

  /// Ends all streams.
  package func stop() { hub.stop() }

  @Sendable private func listen(_ request: Request) throws -> Response {
    let filter = try parameters.filter(request.query)
    let seen = try Self.seen(request)
    let body = PushedBody()
    let listener = hub.listener(
      LiveFilter(filter, vocabulary: vocabulary), key: Self.key(request.query),
      network: request.clientAddress.limitKey, body: body)
    if request.method != .head, let refused = hub.join(listener, seen: seen, atMost: maximum) {
      throw refused.refusal
    }
    return .events(body)
  }

  /// A digest of the parameters of a filter, equal for equal ones.
  private static func key(_ query: Query) -> [UInt8] {
    let words = query.pairs.filter { $0.name != "after" }.map { "\($0.name)=\($0.value)" }
    return Digest.sha256(Array(words.sorted().joined(separator: "\0").utf8))
  }

  /// The number of the last change that the client has seen. A header that is not a number comes from
  /// elsewhere: the client receives `reload`.
  private static func seen(_ request: Request) throws -> Int64? {
    if let header = request.headers["Last-Event-ID"] { return Int64(header) ?? -1 }
    guard let text = request.query["after"] else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw InvalidInput("after", Message("error.number", ["value": text]))
    }
    return number
  }
}
