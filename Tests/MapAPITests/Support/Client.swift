import Foundation
import WebServer

@testable import MapAPI

/// Who asks: what a client carries along with every request.
struct Identity: Sendable {
  var headers: [(name: String, value: String)] = []

  /// Somebody without an account.
  static let visitor = Identity()

  /// Somebody with a personal token.
  static func bearer(_ token: String) -> Identity {
    Identity(headers: [("Authorization", "Bearer \(token)")])
  }
}

extension TestApp {
  /// Parameters of a query, in order and repeated where they are.
  typealias Parameters = KeyValuePairs<String, String>

  /// `GET path?query`, as the server would answer it.
  func get(
    _ path: String, _ query: Parameters = [:], headers: Headers = [:],
    as identity: Identity = .visitor
  ) -> TestAnswer {
    send(.get, path, query, headers: headers, as: identity)
  }

  func send(
    _ method: Method, _ path: String, _ query: Parameters = [:], headers: Headers = [:],
    as identity: Identity = .visitor
  ) -> TestAnswer {
    let target = Request.target(path, query.map { ($0.key, $0.value) })
    return send(method, target: target, headers: headers, as: identity)
  }

  /// A request target exactly as it is given.
  func send(
    _ method: Method = .get, target: String, headers: Headers = [:],
    as identity: Identity = .visitor
  ) -> TestAnswer {
    var headers = headers
    for (name, value) in identity.headers { headers.add(name, value) }
    return TestAnswer(app.router.respond(to: Request(method, target, headers: headers)))
  }

  /// Follows an absolute link of an answer.
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
