import Foundation
package import PrivacyMap
package import Service
package import WebServer

/// `/.well-known/security.txt`: the contact for reporting vulnerabilities (RFC 9116). Missing without a
/// contact.
package struct SecurityText {
  private let contact: SecurityContact
  private let languages: [String]
  private let addresses: Addresses
  private let environment: Environment

  static let path = "/.well-known/security.txt"

  /// Days until the text expires; the standard recommends less than a year.
  private static let validDays: Int32 = 90

  /// Nil if the settings name no contact.
  package init?(
    _ settings: InstanceSettings, _ catalogue: Catalogue, _ addresses: Addresses,
    _ environment: Environment
  ) {
    guard let contact = settings.securityContact else { return nil }
    self.contact = contact
    languages = catalogue.languages
    self.addresses = addresses
    self.environment = environment
  }

  package func add(to router: inout Router) {
    router.get(Self.path) { _ in
      var response = Response.text(text(on: environment.now().day))
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
