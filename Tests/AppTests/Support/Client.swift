@testable import App
import Foundation
import JSON
import WebServer

/// The sender of a request: the headers of a client.
struct Identity: Sendable {
  var headers: [(name: String, value: String)] = []

  /// A visitor without an account.
  static let visitor = Identity()

  /// A client with a personal token.
  static func bearer(_ token: String) -> Identity {
    Identity(headers: [("Authorization", "Bearer \(token)")])
  }
}

extension TestApp {
  /// Parameters of a query, in order, some of them repeated.
  typealias Parameters = KeyValuePairs<String, String>

  /// `GET path?query`, as the server would handle it.
  func get(
    _ path: String, _ query: Parameters = [:], headers: Headers = [:],
    as identity: Identity = .visitor
  ) -> TestAnswer {
    send(.get, path, query, headers: headers, as: identity)
  }

  func send(
    _ method: Method, _ path: String, _ query: Parameters = [:], headers: Headers = [:],
    json: JSONValue? = nil, as identity: Identity = .visitor, from address: String? = nil
  ) -> TestAnswer {
    let target = Request.target(path, query.map { ($0.key, $0.value) })
    var headers = headers
    var body: [UInt8] = []
    if let json {
      var writer = JSONWriter()
      writer.value(json)
      body = writer.bytes
      headers.setDefault("Content-Type", "application/json")
    }
    return send(method, target: target, headers: headers, body: body, as: identity, from: address)
  }

  /// A request target and a body, sent exactly as given; `address` is the client's.
  func send(
    _ method: Method = .get, target: String, headers: Headers = [:], body: [UInt8] = [],
    as identity: Identity = .visitor, from address: String? = nil
  ) -> TestAnswer {
    var headers = headers
    for (name, value) in identity.headers { headers.add(name, value) }
    let request = Request(
      method, target, headers: headers, body: body,
      clientAddress: address.flatMap { ClientAddress($0) } ?? .unknown)
    return TestAnswer(app.router.respond(to: request))
  }

  /// Follows an absolute link in a response.
  func follow(_ link: String) -> TestAnswer {
    send(target: String(link.dropFirst(Self.address.count)))
  }
}

extension CharacterSet {
  /// The 128 characters of ASCII.
  fileprivate static let ascii = CharacterSet(charactersIn: Unicode.Scalar(0)...Unicode.Scalar(127))
}

extension Request {
  /// A request target with a query, every value escaped.
  static func target(_ path: String, _ query: [(String, String)]) -> String {
    let pairs = query.map { "\(escaped($0.0))=\(escaped($0.1))" }
    return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
  }

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.intersection(.ascii)) ?? ""
  }
}
