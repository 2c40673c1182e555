import Foundation
import PrivacyMap
import SpatialDatabase
import WebServer

/// What everything about organisations shares, wired.
struct Organisations: Sendable {
  let map: LiveMap
  let store: OrganisationStore
  let mails: OrganisationMails
  let claims: OrganisationClaims
  /// What the file on a web site is derived from.
  let key: [UInt8]
  /// Reads the file on a web site.
  let sites: SiteReader
  /// Mails that check an address, by account and by address: three an hour.
  let checks: Throttle<String>
  /// Looks at web sites, by account.
  let looks: Throttle<Int64>

  init(map: LiveMap, sites: SiteReader) throws {
    self.map = map
    self.sites = sites
    let surroundings = map.surroundings
    store = OrganisationStore(surroundings: surroundings)
    mails = OrganisationMails(queue: MailQueue(now: surroundings.now), now: surroundings.now)
    claims = OrganisationClaims(map: map, mails: mails)
    key = try map.database.write { connection in
      try InstanceSecret.read(.replies, connection, now: surroundings.now())
    }
    checks = Throttle(limit: 3, window: .seconds(3_600), now: surroundings.now)
    looks = Throttle(limit: 10, window: .seconds(3_600), now: surroundings.now)
  }

  static let tag = "Operators"

  var endpoints: [Endpoint] {
    OrganisationRoutes(organisations: self).endpoints
      + OrganisationCheckRoutes(organisations: self).endpoints
      + OrganisationDesk(organisations: self).endpoints
      + OrganisationClaimRoutes(organisations: self).endpoints
      + ClaimDesk(organisations: self).endpoints
      + StatementRoutes(organisations: self).endpoints
  }
}
