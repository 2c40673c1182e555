/// The https address of a webhook: a host name, and a path on its port 443.
struct WebhookAddress: Equatable, Sendable {
  let host: String
  /// The path with its query.
  let path: String

  /// - Returns: nil if the text is not such an address. A host that is an IP address, a port, a user name and a
  ///   fragment are refused.
  init?(_ text: String) {
    let scheme = "https://"
    guard text.lowercased().hasPrefix(scheme), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      !text.utf8.contains(where: { "\"<>\\^`{|}#".utf8.contains($0) })
    else { return nil }
    let rest = text.dropFirst(scheme.count)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let labels = rest[..<end].split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count >= 2, rest[..<end].utf8.count <= 253,
      labels.allSatisfy({ label in
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
          && label.utf8.allSatisfy { Self.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
      }),
      // As in 10.0.0.1 and 0x7f.1.
      labels.last?.utf8.first.map({ !(48...57).contains($0) }) ?? false
    else { return nil }
    host = rest[..<end].lowercased()
    let tail = String(rest[end...])
    path = tail.hasPrefix("/") ? tail : "/" + tail
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte | 0x20)
  }
}
