import JSON
import Logging
package import Mail
package import Metrics
package import PrivacyMap
import Secrets
package import Service
package import SpatialDatabase
import WebServer

/// State shared by all account routes: stores, rate limits against guessing, and mails.
package struct Accounts: Feature {
  let database: Database
  package let environment: Environment
  let catalogue: Catalogue
  let gate: Gate
  let rules: PasswordRules
  let networks: KnownNetworks
  let mails: AccountMails
  package let publicChanges: PublicChanges
  let logger: Logger
  /// The features that hold data of accounts, this one included.
  package let features: [any Feature.Type]
  /// The name of the instance, shown by authenticator apps.
  let instance: String
  let guessing: SignInGuard
  /// Counts hashes for tests: unknown logins must cost as many hashes as existing ones.
  var hashing = PasswordHashing()
  /// Outcomes of sign-in attempts.
  let signIns = Counters<SignInOutcome>()
  package let store = AccountStore()
  let sessions = SessionStore()
  let tokens = MailTokens()

  /// New accounts per network: five in half an hour, the limit that Mastodon uses.
  let signUps: Throttle<ClientAddress>
  /// Mail requests per network.
  let mailRequests: Throttle<ClientAddress>
  /// The networks of mail requests whose job is queued.
  let askers: Askers
  /// Changes of address per account. Each sends a mail to the new address.
  let addressChanges: Throttle<Int64>
  /// Exports per account.
  let exports: Throttle<Int64>

  package init(_ instance: Instance) throws {
    let (rates, now) = (instance.rates, instance.environment.now())
    (features, self.instance) = (instance.features, instance.settings.name)
    (database, environment) = (instance.database, instance.environment)
    (catalogue, gate, logger) = (instance.catalogue, instance.gate, instance.logger)
    (rules, publicChanges) = (try instance.given(), instance.publicChanges)
    networks = try database.write { try KnownNetworks($0, now: now) }
    mails = AccountMails(queue: instance.mails, tokens: tokens, networks: networks, rates: rates)
    guessing = SignInGuard(rates)
    askers = Askers(sealing: database.isShared ? instance.mailSeal : nil)
    signUps = rates.limit("accounts.signUps", 5, per: .seconds(1_800))
    mailRequests = rates.limit("accounts.mailRequests", 10, per: .seconds(1_800))
    addressChanges = rates.limit("accounts.addressChanges", 5, per: .seconds(3_600))
    exports = rates.limit("accounts.exports", 10, per: .seconds(3_600))
    if try database.read(store.lacksLooks) { try database.write(store.noteLooks) }
  }

  package var now: Timestamp { environment.now() }

  /// Every operation of the HTTP interface that is about accounts.
  package var endpoints: [Endpoint] {
    SignUpRoutes(accounts: self).endpoints
      + RecoveryRoutes(accounts: self).endpoints
      + SessionRoutes(accounts: self).endpoints
      + AccountRoutes(accounts: self).endpoints
      + SecondFactorRoutes(accounts: self).endpoints
      + AccountExport(accounts: self).endpoints
      + BrowserRoutes(accounts: self).endpoints
      + PersonalTokenRoutes(accounts: self).endpoints
  }

  package var schemas: [Schema] {
    AccountSchemas.all + [("accountExport", AccountSchemas.export(sections))]
  }

  /// The lists in the export of an account, the lists about the account itself first.
  var sections: [ExportSection] {
    Self.exports + features.filter { $0 != Self.self }.flatMap { $0.exports }
  }

  package func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? {
    switch entry.kind {
    case .account:
      guard let account = try store.account(id: entry.id, connection) else { return false }
      try erasure.erase(account, connection)
      return true
    case .role, .recordRequests: return try store.withdrawAgain(entry, at: now, connection)
    default: return nil
    }
  }

  package var jobs: [Job] {
    [
      Job(MailRequest.job, work: answerMailRequest),
      Job(AccountErasure.job, work: wipeTracesInJob),
      Job(AccountSweep.job, every: AccountSweep.every, run: AccountSweep(accounts: self).run),
    ]
  }

  package var metrics: [MetricFamily] {
    [.counter("farol_sign_ins_total", "Sign-in attempts.", by: "outcome", signIns)]
  }

  /// The account of a signed-in principal.
  ///
  /// - Throws: a 401 if it has been deleted in the meantime.
  func account(
    of principal: Principal, _ connection: borrowing Connection
  ) throws -> StoredAccount {
    guard let account = try store.account(principal.account, connection) else {
      throw Refusal.signedOut
    }
    return account
  }

  /// The account of a principal who enters the password again. Takes as long as a password hash.
  ///
  /// - Throws: a 422 that names `field`, or a 429 after too many wrong ones.
  func account(
    of principal: Principal, password: String, field: String
  ) throws -> StoredAccount {
    let account = try database.readQuickly { try self.account(of: principal, $0) }
    try guessing.begin(owner: account.rowid)
    guard hashing.verify(password, account.passwordHash) else {
      throw InvalidInput.refused(field, "error.wrong_password")
    }
    try guessing.succeeded(owner: account.rowid)
    return account
  }
}

extension Principal {
  /// The browser session of the principal.
  ///
  /// - Throws: a 403 if the credential is a personal token.
  package func session() throws -> (rowid: Int64, token: String, expiresAt: Timestamp) {
    guard case .session(let rowid, let token, let expiresAt) = credential else {
      throw Refusal.ownBrowser
    }
    return (rowid, token, expiresAt)
  }
}

extension RequestBody {
  /// A valid username.
  mutating func username(_ name: String, isRequired: Bool) -> Username? {
    guard let text = secret(name, isRequired: isRequired) else { return nil }
    do { return try Username(text) } catch {
      refuse(name, error.message)
      return nil
    }
  }

  /// An e-mail address.
  package mutating func email(_ name: String, isRequired: Bool) -> EmailAddress? {
    guard let text = secret(name, isRequired: isRequired) else { return nil }
    do { return try EmailAddress(PlainText.trimmed(text)) } catch {
      refuse(name, Message("error.email"))
      return nil
    }
  }

  /// A password that satisfies the rules. `names` are the names of its owner.
  mutating func newPassword(
    _ name: String, isRequired: Bool, of names: [String?], _ rules: PasswordRules
  ) -> String? {
    guard let password = secret(name, isRequired: isRequired) else { return nil }
    guard let fault = rules.fault(in: password, of: names.compactMap { $0 }) else {
      return password
    }
    refuse(name, fault.message)
    return nil
  }

  /// A token from a mail. A malformed token gets the same refusal as a used one.
  mutating func mailToken() -> SecretToken? {
    guard let text = secret("token") else { return nil }
    if let token = SecretToken(text: text) { return token }
    refuse("token", MailTokens.spent.message)
    return nil
  }
}

extension Optional {
  /// The value, which is present in a body that passed its check.
  ///
  /// - Throws: a bare 400 otherwise.
  package func given() throws -> Wrapped {
    guard let value = self else { throw Refusal(.badRequest, "error.bad_request") }
    return value
  }
}
