/// A request method (RFC 9110 §9). Methods are case-sensitive. Unknown methods are stored as sent.
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

  /// GET or HEAD. Both use the same routes and differ only in the payload.
  package var isRead: Bool { self == .get || self == .head }
}
