import Accounts
import Contributions
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

  /// The members of a body, checked except for dependencies on the details that they change.
  struct Sent: Sendable {
    private let name: String?
    private let kind: Operator.Kind?
    private let domain: String?
    /// Nil if it is not sent, a nil inside if it is null.
    private let website: String??
    private let contact: String??
    private let dataProtectionContact: String??
    private let privacyPolicy: String??

    /// Reads the body of a request before its transaction; `isNew` if name, kind and domain are required.
    ///
    /// - Throws: ``InvalidInput`` with every error.
    init(_ body: RequestBody, isNew: Bool) throws {
      var body = body
      func sent(_ member: String, _ value: String?) -> String?? {
        body.has(member) ? .some(value) : nil
      }
      name = body.text("name", 1...200, isRequired: isNew)
      kind = body.code("kind", ["public", "company"], isRequired: isNew)
        .flatMap(Operator.Kind.init(rawValue:))
      domain = OrganisationDetails.domain(&body, isRequired: isNew)
      let (page, contact) = (body.webAddress("website"), body.contact("contact"))
      let protection = body.contact("data_protection_contact")
      let policy = body.webAddress("privacy_policy")
      website = sent("website", page)
      self.contact = sent("contact", contact)
      dataProtectionContact = sent("data_protection_contact", protection)
      privacyPolicy = sent("privacy_policy", policy)
      if let page, let domain, !OrganisationDetails.isHost(of: page, at: domain) {
        body.refuse("website", Message("error.operator.website", ["domain": domain]))
      }
      try body.check()
    }

    /// The details with these changes. Without `known`, name, kind and domain are required.
    ///
    /// - Throws: a 400 or 422 ``InvalidInput``.
    func details(over known: OrganisationDetails?) throws -> OrganisationDetails {
      let details = OrganisationDetails(
        name: try (name ?? known?.name).given(), kind: try (kind ?? known?.kind).given(),
        domain: try (domain ?? known?.domain).given(), website: website ?? known?.website,
        contact: contact ?? known?.contact,
        dataProtectionContact: dataProtectionContact ?? known?.dataProtectionContact,
        privacyPolicy: privacyPolicy ?? known?.privacyPolicy)
      if let page = details.website,
        !OrganisationDetails.isHost(of: page, at: details.domain)
      {
        throw InvalidInput.refused("website", "error.operator.website", ["domain": details.domain])
      }
      return details
    }
  }

  fileprivate static func domain(_ body: inout RequestBody, isRequired: Bool) -> String? {
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
  fileprivate static func isHost(of page: String, at domain: String) -> Bool {
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
