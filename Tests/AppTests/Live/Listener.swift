@testable import App
import Foundation
import JSON
@testable import WebServer

extension TestApp {
  /// Opens the stream of changes for a filter.
  func listen(_ query: [(String, String)], headers: Headers = [:]) throws -> Listener {
    let target = Request.target("/api/live", query)
    let response = app.router.respond(to: Request(.get, target, headers: headers))
    guard case .pushed(let body) = response.body else { throw NoStream(status: response.status) }
    return Listener(body: body)
  }

  private struct NoStream: Error { let status: Status }
}

/// Reads a stream that is not sent.
struct Listener {
  let body: PushedBody

  struct Event {
    var name = ""
    var id: String?
    var data = ""

    func json() throws -> JSONValue { try JSONValue(parsing: Array(data.utf8)) }
  }

  var text: String { String(decoding: body.waiting, as: UTF8.self) }

  /// The events so far, as soon as there are `count`; blocks without data are none.
  func events(_ count: Int) -> [Event] {
    let end = ContinuousClock.now + .seconds(60)
    while true {
      let found = text.components(separatedBy: "\n\n").dropLast().map(Self.event)
        .filter { !$0.data.isEmpty }
      if found.count >= count || ContinuousClock.now > end { return found }
      Pause.shortly()
    }
  }

  /// The name of each reported device, or of the event.
  func names(_ count: Int) throws -> [String] {
    try events(count).map { event in
      try event.json()["properties"]?["name"]?.stringValue ?? event.name
    }
  }

  private static func event(_ block: String) -> Event {
    var event = Event()
    for line in block.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
      let value = parts.count > 1 ? String(parts[1].dropFirst()) : ""
      switch parts[0] {
      case "event": event.name = value
      case "id": event.id = value
      case "data": event.data = value
      default: break
      }
    }
    return event
  }
}
