/// The organisation or person responsible for a device.
package struct Operator: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case `public`, company, household, unknown
  }

  package var name: String?
  package var kind: Kind
  package var contact: String?
  package var privacyPolicy: String?
  package var dataProtectionContact: String?

  package init(name: String? = nil, kind: Kind = .unknown) {
    self.name = name
    self.kind = kind
  }
}
