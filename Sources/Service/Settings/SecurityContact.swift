import Foundation
import Mail

/// The contact for reporting vulnerabilities: a URI, as required by RFC 9116 §2.5.3.
package struct SecurityContact: Equatable, Sendable {
  /// `mailto:`, `tel:` or `https:`.
  package let address: String

  /// Reads such a URI or an e-mail address; nil for other texts, including `http:`.
  package init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    if text.hasPrefix("https://") {
      guard let host = URLComponents(string: text)?.host, !host.isEmpty else { return nil }
      address = text
    } else if text.hasPrefix("tel:") {
      let digits = text.dropFirst("tel:".count).utf8.filter { (0x30...0x39).contains($0) }
      guard digits.count >= 3 else { return nil }
      address = text
    } else {
      let mailbox = text.hasPrefix("mailto:") ? String(text.dropFirst("mailto:".count)) : text
      guard (try? EmailAddress(mailbox)) != nil else { return nil }
      address = "mailto:" + mailbox
    }
  }
}
