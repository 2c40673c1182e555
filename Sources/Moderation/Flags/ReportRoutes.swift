import Accounts
import Mail
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `POST /api/reports`: people and operators without an account request a review of a record that
/// concerns them.
struct ReportRoutes: Sendable {
  private let store: FlagStore
  private let mails: ModerationMails
  private let catalogue: Catalogue
  /// Reports per network. There is no global limit: the queue groups all reports on one target, so many
  /// reports of others do not delay any.
  private let networks: Throttle<ClientAddress>
  /// Serious reports per network, with a higher limit: a school or provider may share one network.
  private let seriousNetworks: Throttle<ClientAddress>
  /// Acknowledgements per address, so that a stranger cannot flood a mailbox with them.
  private let addresses: Throttle<String>

  static let hourlyLimit = 5
  static let hourlyLimitOfSerious = 30

  init(store: FlagStore, mails: ModerationMails, catalogue: Catalogue, rates: RateLimits) {
    self.store = store
    self.mails = mails
    self.catalogue = catalogue
    networks = rates.limit("reports.networks", Self.hourlyLimit, per: .seconds(3_600))
    seriousNetworks = rates.limit(
      "reports.seriousNetworks", Self.hourlyLimitOfSerious, per: .seconds(3_600))
    addresses = rates.limit("reports.addresses", 3, per: .days(1))
  }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "addReport", .post, "/api/reports", tag: "Moderation",
        summary: "Report a record without an account. The answer is sent by mail.",
        access: .everyone, body: .json("report"),
        answers: [.accepted("The report is queued for review.")],
        .change(report))
    ]
  }

  @Sendable private func report(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let names = RequestBody.wordsOfFlags.union(["target", "email", "locale"])
    var body = try RequestBody(request, names)
    let target = try body.target(Target.Kind.pointedAt)
    let words = body.words(noteIsNeeded: true)
    let email = body.email("email", isRequired: false)
    let locale = body.code("locale", catalogue.languages)
    try body.check()
    let wanted = try target.given()
    let said = try words.given()
    let networks = said.reason.isSerious ? seriousNetworks : networks
    try networks.spend(request.clientAddress.limitKey)
    let language = locale ?? catalogue.language(of: request)
    return { [store, mails, addresses] connection in
      // Always as a visitor, because a report has no author.
      let subject = try Subject(wanted, for: .nobody, connection)
      let isKept = try store.report(
        subject, said, email: email?.text, locale: language, connection)
      // Send the mail only if the report is stored, because it promises an answer.
      if isKept, let email, try addresses.take(email.key) == nil {
        try mails.acknowledge(to: email.text, language, subject, connection)
      }
      return Response(.accepted)
    }
  }
}
