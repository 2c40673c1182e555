import Devices
import Foundation
import Mail
import PrivacyMap
import Service
import WebServer

/// The details that an organisation states about itself.
struct OrganisationDetails: Equatable, Sendable {
  var name: String
  /// Public body or company.
  var kind: Operator.Kind
  /// Its domain, in lower case and without `www.`.
  var domain: String
  var website: String?
  var contact: String?
  var dataProtectionContact: String?
  var privacyPolicy: String?

  static let members: Set<String> = [
    "name", "kind", "domain", "website", "contact", "data_protection_contact", "privacy_policy",
  ]

  /// The members that were verified for the approval and cannot change afterwards.
  var checked: [String] { [name, kind.rawValue, domain] }

  /// Reads the request body over the `known` details; without those, name, kind and domain are required.
  ///
  /// - Returns: nil if a member is invalid, as noted in `body`.
  init?(_ body: inout RequestBody, over known: OrganisationDetails? = nil) {
    let isNew = known == nil
    let name = body.text("name", 1...200, isRequired: isNew)
    let kind = body.code("kind", ["public", "company"], isRequired: isNew)
    let domain = Self.domain(&body, isRequired: isNew)
    let website = body.webAddress("website")
    let contact = body.contact("contact")
    let protection = body.contact("data_protection_contact")
    let policy = body.webAddress("privacy_policy")
    func kept(_ member: String, _ new: String?, _ old: String?) -> String? {
      body.has(member) ? new : old
    }
    guard let wholeName = name ?? known?.name,
      let wholeKind = kind.flatMap(Operator.Kind.init(rawValue:)) ?? known?.kind,
      let wholeDomain = domain ?? known?.domain
    else { return nil }
    self.name = wholeName
    self.kind = wholeKind
    self.domain = wholeDomain
    self.website = kept("website", website, known?.website)
    self.contact = kept("contact", contact, known?.contact)
    dataProtectionContact = kept(
      "data_protection_contact", protection, known?.dataProtectionContact)
    privacyPolicy = kept("privacy_policy", policy, known?.privacyPolicy)
    if let website = self.website, !Self.isHost(of: website, at: wholeDomain) {
      body.refuse("website", Message("error.operator.website", ["domain": wholeDomain]))
    }
  }

  init(
    name: String, kind: Operator.Kind, domain: String, website: String?, contact: String?,
    dataProtectionContact: String?, privacyPolicy: String?
  ) {
    self.name = name
    self.kind = kind
    self.domain = domain
    self.website = website
    self.contact = contact
    self.dataProtectionContact = dataProtectionContact
    self.privacyPolicy = privacyPolicy
  }

  private static func domain(_ body: inout RequestBody, isRequired: Bool) -> String? {
    guard let text = body.text("domain", 1...250, isRequired: isRequired)?.lowercased() else {
      return nil
    }
    let domain = text.hasPrefix("www.") ? String(text.dropFirst(4)) : text
    // A valid domain is any text that can follow the at sign of a mail address.
    guard let address = try? EmailAddress("a@\(domain)"), domain.utf8.count >= 3 else {
      body.refuse("domain", Message("error.operator.domain"))
      return nil
    }
    return address.domain
  }

  /// Whether a web address is at the domain or a subdomain.
  private static func isHost(of page: String, at domain: String) -> Bool {
    guard let host = URLComponents(string: page)?.host?.lowercased() else { return false }
    return host == domain || host.hasSuffix(".\(domain)")
  }

  /// Contacts that are mail addresses, as entered; the data protection contact comes first. They are not
  /// verified: ``Organisation/lettersAddress`` is the address for mail.
  var mailAddresses: [EmailAddress] {
    [dataProtectionContact, contact].compactMap { contact in
      guard let contact else { return nil }
      let text = contact.hasPrefix("mailto:") ? String(contact.dropFirst(7)) : contact
      return try? EmailAddress(text)
    }
  }

  /// Whether an address is one of ``mailAddresses``.
  func names(_ address: EmailAddress) -> Bool {
    mailAddresses.contains { $0.key == address.key }
  }
}
