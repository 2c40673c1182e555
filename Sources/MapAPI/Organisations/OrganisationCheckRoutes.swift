import JSON
import Mail
import PrivacyMap
import Secrets
import SpatialDatabase
import WebServer

/// Finding out that an account speaks for an organisation: a mail to its domain, or a file on its site.
struct OrganisationCheckRoutes: Sendable {
  let organisations: Organisations

  private var store: OrganisationStore { organisations.store }
  private var database: Database { organisations.map.database }
  private var now: Timestamp { organisations.map.surroundings.now() }

  var endpoints: [Endpoint] {
    let own = Endpoint.Answer.ok("The organisation.", schema: "organisation")
    return [
      Endpoint(
        "startOperatorCheck", .post, "/api/operators/mine/check", tag: Organisations.tag,
        summary: "Begins a check: a mail to an address at the domain, or a file on its web site.",
        access: .contributor, body: .json("operatorCheck"),
        answers: [.ok("What remains to be done.", schema: "operatorCheckStep")], .change(start)),
      Endpoint(
        "checkOperatorFile", .post, "/api/operators/mine/check/file", tag: Organisations.tag,
        summary: "Looks for the file on the web site.", access: .contributor, answers: [own],
        .slow(look)),
      Endpoint(
        "finishOperatorCheck", .post, "/api/operators/check", tag: Organisations.tag,
        summary: "Passes a check by the link that was mailed.", access: .everyone,
        body: .json("mailToken"),
        answers: [.ok("Whom it was for.", schema: "operatorChecked")], .change(finish)),
    ]
  }

  @Sendable private func start(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, ["method", "address"])
    let method = body.code("method", ["email", "file"], isRequired: true)
    let address = body.email("address", isRequired: method == "email")
    try body.check()
    return { connection in
      guard let organisation = try store.organisation(of: principal.account, connection) else {
        throw OrganisationStore.notThere
      }
      guard method == "email", let address else {
        let file = SiteFile(organisation, key: organisations.key)
        return .json([
          "method": "file", "url": .string(file.url), "content": .string(file.content),
        ])
      }
      try mail(address, organisation, principal, connection)
      return .json(["method": "email", "sent_to": .string(address.text)])
    }
  }

  private func mail(
    _ address: EmailAddress, _ organisation: Organisation, _ principal: Principal,
    _ connection: borrowing Connection
  ) throws {
    // Exactly there: names below a domain may be anybody's.
    guard address.domain == organisation.details.domain else {
      throw InvalidInput(
        [("address", Message("error.operator.address", ["domain": organisation.details.domain]))],
        status: .unprocessableContent)
    }
    try organisations.checks.spend(principal.account)
    try organisations.checksOfADay.spend(principal.account)
    try organisations.checkedAddresses.spend(address.key)
    let token = SecretToken()
    let end = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + OrganisationMails.seconds)
    try connection.execute(
      "UPDATE organisation SET mail_digest = ?, mail_address = ?, mail_ends_at = ? WHERE rowid = ?",
      [.blob(token.digest), .text(address.text), .text(end.text), .integer(organisation.rowid)])
    try organisations.mails.check(
      token, to: address, principal.locale, account: principal.account, connection)
  }

  @Sendable private func finish(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    var body = try RequestBody(request, ["token"])
    let text = body.secret("token")
    try body.check()
    guard let token = SecretToken(text: try text.given()) else { throw MailTokens.spent }
    return { connection in
      let found = try connection.first(
        """
        SELECT rowid, name, domain, mail_address FROM organisation
        WHERE mail_digest = ? AND mail_ends_at > ?
        """, [.blob(token.digest), .text(now.text)]
      ) { ($0.int(0), $0.text(1), $0.text(2), $0.optionalText(3)) }
      guard let (rowid, name, domain, address) = found else { throw MailTokens.spent }
      try store.note(.email, address, of: rowid, connection)
      return .json(["name": .string(name), "domain": .string(domain)])
    }
  }

  /// On the queue of slow work, one at a time: a site that answers slowly keeps nobody from signing in.
  @Sendable private func look(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    guard let organisation = try database.read({ try store.organisation(of: account, $0) }) else {
      throw OrganisationStore.notThere
    }
    try organisations.looks.spend(account)
    let file = SiteFile(organisation, key: organisations.key)
    try organisations.sites.check(file)
    return try database.write { connection in
      guard let after = try store.organisation(of: account, connection),
        after.details.domain == organisation.details.domain
      else { throw OrganisationStore.notThere }
      try store.note(.file, file.url, of: after.rowid, connection)
      return .json(try store.organisation(of: account, connection)?.json ?? .null)
    }
  }
}
