import Accounts
import Devices
import JSON
import Mail
import Secrets
import Service
import SpatialDatabase
import WebServer

/// Verification that an account represents an organisation: by a mail to its domain, or a file on its
/// site.
struct OrganisationCheckRoutes: Sendable {
  let organisations: Organisations

  private var store: OrganisationStore { organisations.store }
  private var database: Database { organisations.map.database }

  var endpoints: [Endpoint] {
    let own = Endpoint.Answer.ok("The organisation.", schema: "organisation")
    return [
      Endpoint(
        "startOperatorCheck", .post, "/api/operators/mine/check", tag: Organisations.tag,
        summary:
          "Starts a verification: by a mail to an address at the domain or to a contact, or by a file on the site.",
        access: .contributorSession, body: .json("operatorCheck", limit: Endpoint.Body.smallLimit),
        answers: [.ok("The next step.", schema: "operatorCheckStep")], .change(start)),
      Endpoint(
        "checkOperatorFile", .post, "/api/operators/mine/check/file", tag: Organisations.tag,
        summary: "Checks the file on the web site.", access: .contributorSession, answers: [own],
        .apart(organisations.sites.queue, look)),
      Endpoint(
        "finishOperatorCheck", .post, "/api/operators/check", tag: Organisations.tag,
        summary: "Completes a verification with the mailed link.", access: .everyone,
        body: .json("mailToken", limit: Endpoint.Body.smallLimit),
        answers: [.ok("The organisation concerned.", schema: "operatorChecked")], .change(finish)
      ).withToken(),
    ]
  }

  /// The next step: the user opens the mailed link or publishes a file.
  static let step = JSONShape<(mailedTo: String?, file: SiteFile?)>(
    "operatorCheckStep", .text("method") { $0.file == nil ? "email" : "file" },
    .text("url") { $0.file?.url }.optional, .text("content") { $0.file?.content }.optional,
    .text("sent_to") { $0.mailedTo }.optional)

  static let checked = JSONShape<(details: OrganisationDetails, isOfDomain: Bool)>(
    "operatorChecked", .text("name") { $0.details.name }, .text("domain") { $0.details.domain },
    .init("confirmed", .oneOf(["domain", "contact"])) { $0.isOfDomain ? "domain" : "contact" })

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
        return .json((nil, file), as: Self.step)
      }
      try mail(address, organisation, principal, connection)
      return .json((address.text, nil), as: Self.step)
    }
  }

  private func mail(
    _ address: EmailAddress, _ organisation: Organisation, _ principal: Principal,
    _ connection: borrowing Connection
  ) throws {
    // The exact domain: subdomains may belong to others.
    let isAtDomain = address.domain == organisation.details.domain
    guard isAtDomain || organisation.details.names(address) else {
      throw InvalidInput.refused(
        "address", "error.operator.address", ["domain": organisation.details.domain])
    }
    try organisations.checks.spend(principal.account)
    try organisations.checksOfADay.spend(principal.account)
    try organisations.checkedAddresses.spend(address.key)
    let token = SecretToken()
    try store.keep(token, mailedTo: address, for: organisation.rowid, connection)
    try organisations.mails.check(
      isAtDomain ? .operatorCheck : .operatorContact, token, to: address,
      account: principal.account, connection)
  }

  @Sendable private func finish(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    var body = try RequestBody(request, ["token"])
    let text = body.secret("token")
    try body.check()
    guard let token = SecretToken(text: try text.given()) else { throw MailTokens.spent }
    return { connection in
      let found = try store.organisation(mailed: token, connection)
      guard let (organisation, text) = found, let address = try? EmailAddress(text) else {
        throw MailTokens.spent
      }
      let isOfDomain = address.domain == organisation.details.domain
      if isOfDomain {
        try store.note(.email, address.text, of: organisation.rowid, connection)
      } else {
        // The contact may have been changed since the mail was sent.
        guard organisation.details.names(address) else { throw MailTokens.spent }
        try store.confirm(contact: address, of: organisation.rowid, connection)
      }
      return .json((organisation.details, isOfDomain), as: Self.checked)
    }
  }

  @Sendable private func look(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    guard let organisation = try database.readQuickly({ try store.organisation(of: account, $0) })
    else {
      throw OrganisationStore.notThere
    }
    try organisations.looks.spend(account)
    let file = SiteFile(organisation, key: organisations.key)
    try organisations.sites.check(file)
    return try database.write { connection in
      // The file's content is derived from this organisation and this domain.
      guard let after = try store.organisation(of: account, connection),
        after.id == organisation.id, after.details.domain == organisation.details.domain
      else { throw OrganisationStore.notThere }
      try store.note(.file, file.url, of: after.rowid, connection)
      return .json(try store.organisation(of: account, connection)?.json ?? .null)
    }
  }
}
