import Accounts
import Contributions
import Devices
import Foundation
import PrivacyMap
import SafeFetch
package import Service
package import SpatialDatabase

/// The shared dependencies of all code for organisations.
package struct Organisations: Feature {
  let map: LiveMap
  /// Verifies the identity of admins before a decision.
  let accounts: Accounts
  let store: OrganisationStore
  let mails: OrganisationMails
  let claims: DeviceOwnershipStore
  /// Key from which the content of verification files is derived.
  let key: [UInt8]
  /// Reads verification files from web sites.
  package let sites: SiteReader
  /// Limits of verification mails: three an hour and six a day for each account; 24 a day to each address
  /// from all accounts together, so that one account cannot use up an organisation's own limit.
  let checks: Throttle<Int64>
  let checksOfADay: Throttle<Int64>
  let checkedAddresses: Throttle<String>
  /// Limit of web site checks, by account.
  let looks: Throttle<Int64>
  /// Limit of claims made or withdrawn: sixty an hour, by organisation.
  let devices: Throttle<Int64>
  /// Statements count as edits of the account.
  let limits: ContributionLimits
  /// Maximum of claims of one organisation that wait for a moderator.
  static let maxWaiting: Int64 = 50

  package init(_ instance: Instance) throws {
    let (rates, now) = (instance.rates, instance.environment.now)
    (map, accounts, limits) = try (instance.map, instance.part(), instance.part())
    sites = SiteReader(PublicFile(loopback: instance.settings.siteLoopback))
    store = OrganisationStore(environment: instance.environment)
    mails = OrganisationMails(queue: instance.mails, now: now, names: try instance.part())
    claims = DeviceOwnershipStore(map: map, mails: mails)
    key = try instance.secret(.replies)
    checks = rates.limit("organisations.checks", 3, per: .seconds(3_600))
    checksOfADay = rates.limit("organisations.checksOfADay", 6, per: .days(1))
    checkedAddresses = rates.limit("organisations.checkedAddresses", 24, per: .days(1))
    looks = rates.limit("organisations.looks", 10, per: .seconds(3_600))
    devices = rates.limit("organisations.devices", 60, per: .seconds(3_600))
  }

  package var queues: [(name: String, queue: any MeasuredQueue)] { [("sites", sites.queue)] }

  package func stop() { sites.queue.stop() }

  static let tag = "Operators"

  package var endpoints: [Endpoint] {
    OrganisationRoutes(organisations: self).endpoints
      + OrganisationCheckRoutes(organisations: self).endpoints
      + OrganisationAdminRoutes(organisations: self).endpoints
      + DeviceOwnershipRoutes(organisations: self).endpoints
      + DeviceOwnershipAdminRoutes(organisations: self).endpoints
      + StatementRoutes(organisations: self).endpoints
  }

  package var schemas: [Schema] { OrganisationSchemas.all }

  package static func erase(_ account: ErasedAccount, _ connection: borrowing Connection) throws {
    let store = OrganisationStore(environment: Environment(now: { account.now }))
    guard let organisation = try store.organisation(of: account.rowid, connection) else { return }
    try store.erase(organisation, connection)
  }

  package func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? {
    switch entry.kind {
    case .organisation: try store.eraseAgain(entry.id, connection)
    case .claim, .statement: try claims.eraseAgain(entry, connection)
    default: nil
    }
  }

  package static let logNames = [
    LogName("operator") { "SELECT name FROM organisation WHERE id = \($0)" }
  ]

  package static let restores = RestoreRule.of(
    "organisation",
    [
      "organisation": .repeats([.organisation]), "organisation_claim": .repeats([.claim]),
      "operator_statement": .repeats([.statement]),
    ])
}
