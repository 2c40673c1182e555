import JSON
import Mail
import PrivacyMap
import SpatialDatabase
import WebServer

/// `POST /api/reports`: a household that others put on the map, or an operator, asks for a look
/// without an account.
struct ReportRoutes: Sendable {
  private let store: FlagStore
  private let mails: ModerationMails
  private let catalogue: Catalogue
  /// Reports of one network.
  private let networks: Throttle<ClientAddress>
  /// Reports about one thing: who looks at one has seen the others.
  private let targets: Throttle<String>
  /// Acknowledgements to one address, so that nobody is flooded in somebody else's name.
  private let addresses: Throttle<String>

  init(store: FlagStore, mails: ModerationMails, catalogue: Catalogue) {
    self.store = store
    self.mails = mails
    self.catalogue = catalogue
    let now = store.surroundings.now
    networks = Throttle(limit: 5, window: .seconds(3_600), now: now)
    targets = Throttle(limit: 10, window: .seconds(86_400), now: now)
    addresses = Throttle(limit: 3, window: .seconds(86_400), now: now)
  }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "addReport", .post, "/api/reports", tag: "Keeping order",
        summary: "Asks for a look at a record, without an account; the answer comes by mail.",
        access: .everyone, body: .json("report"),
        answers: [.accepted("It will be looked at.")],
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
    try networks.spend(request.clientAddress.limitKey)
    try targets.spend(wanted.text)
    let language = locale ?? catalogue.language(of: request)
    return { [store, mails, addresses] connection in
      // As a visitor, whoever asks: a report has no author.
      let subject = try Subject(wanted, for: .nobody, connection)
      try store.report(subject, said, email: email?.text, locale: language, connection)
      if let email, addresses.wait(for: email.key) == nil {
        addresses.count(email.key)
        try mails.acknowledge(to: email.text, language, subject, connection)
      }
      return Response(.accepted)
    }
  }
}
