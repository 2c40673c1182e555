/// A request method (RFC 9110 §9). Methods are case-sensitive, and unknown ones are kept as sent.
package struct Method: RawRepresentable, Hashable, Sendable {
  package var rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let get = Method(rawValue: "GET")
  package static let head = Method(rawValue: "HEAD")
  package static let post = Method(rawValue: "POST")
  package static let put = Method(rawValue: "PUT")
  package static let patch = Method(rawValue: "PATCH")
  package static let delete = Method(rawValue: "DELETE")
  package static let options = Method(rawValue: "OPTIONS")

  /// GET and HEAD, which are routed alike and differ only in what is sent.
  package var isRead: Bool { self == .get || self == .head }
}
