/// JSON Pointers (RFC 6901).
package enum PointerText {
  /// The pointer of a path of member names.
  package static func pointer(to path: [String]) -> String {
    path.reduce("") { pointer, part in
      pointer + "/"
        + part.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
        .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
    }
  }
}
