import Foundation
import Mail
import PrivacyMap
import WebServer

/// `/.well-known/security.txt`: the contact for reporting vulnerabilities (RFC 9116). Missing without a
/// contact.
struct SecurityText {
  private let contact: SecurityContact
  private let languages: [String]
  private let addresses: Addresses
  private let surroundings: Surroundings

  static let path = "/.well-known/security.txt"

  /// Days until the text expires; the standard recommends less than a year.
  private static let validDays: Int32 = 90

  /// Nil if the settings name no contact.
  init?(
    _ settings: InstanceSettings, _ catalogue: Catalogue, _ addresses: Addresses,
    _ surroundings: Surroundings
  ) {
    guard let contact = settings.securityContact else { return nil }
    self.contact = contact
    languages = catalogue.languages
    self.addresses = addresses
    self.surroundings = surroundings
  }

  func add(to router: inout Router) {
    router.get(Self.path) { _ in
      var response = Response.text(text(on: surroundings.now().day))
      response.headers["Cache-Control"] = "public, max-age=86400"
      return response
    }
  }

  private func text(on day: Day) -> String {
    let end = Timestamp(startOf: Day(daysSinceEpoch: day.daysSinceEpoch + Self.validDays))
    var lines = [
      "Contact: \(contact.address)", "Expires: \(end.text)",
      "Preferred-Languages: \(languages.joined(separator: ", "))",
    ]
    // Only an https address is allowed here (§2.5.2).
    let canonical = addresses.url(Self.path)
    if canonical.hasPrefix("https:") { lines.append("Canonical: \(canonical)") }
    return lines.map { $0 + "\n" }.joined()
  }
}

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
