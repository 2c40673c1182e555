import Devices
import Logging
import JSON
import PrivacyMap
import Reference
import SafeFetch
import Secrets
package import Service
import SpatialDatabase
import WebServer

/// Watches: areas, devices and operators whose changes an account follows by mail, feed or webhook.
///
/// A watch is visible to its owner only. No role can read another account's watches.
package struct Watches: Feature {
  let database: Database
  let environment: Environment
  let catalogue: Catalogue
  let names: DeviceNames
  let addresses: Addresses
  let instance: String
  let store: WatchStore
  let secrets: WatchSecrets
  let news: WatchNews
  let mails: WatchMails
  let form: WatchForm
  let worker: WatchWorker
  /// Limit of tests: ten an hour per account.
  private let tests: Throttle<Int64>
  /// Limit of challenges of new webhooks: twenty an hour per account, so that an account cannot make Farol call a
  /// stranger often.
  private let challenges: Throttle<Int64>
  /// Watches that an account adds or changes. The list of erasures gets an entry for each that ends.
  let changes: Throttle<Int64>

  static let tag = "Watches"
  /// Names that are looked up at a time: a lookup that takes long outlives the call that needs it.
  package static let lookups = WatchWorker.callers * 2

  /// `site` sends the calls of webhooks. `writer` records changes and deliveries.
  package init(_ instance: Instance) throws {
    let (devices, parameters): (DeviceStore, DeviceParameters) = try (
      instance.part(), instance.part()
    )
    let writer = instance.writes
    (database, environment) = (instance.database, instance.environment)
    (catalogue, addresses) = (instance.catalogue, instance.addresses)
    names = try instance.part()
    self.instance = instance.settings.name
    store = WatchStore(environment: environment)
    secrets = WatchSecrets(key: try instance.secret(.watches))
    let filter = WatchFilter(parameters: parameters)
    news = WatchNews(devices: devices, filter: filter)
    mails = WatchMails(
      environment: environment, store: store, queue: instance.mails, secrets: secrets,
      catalogue: catalogue, names: names, addresses: addresses, news: news,
      digest: QueueDigest(catalogue: catalogue, pending: try instance.part()))
    form = WatchForm(
      filter: filter, reading: WatchAreaReading(places: try instance.places),
      properties: DeviceProperty.all.map(\.name) + ["geometry"])
    let lease = Lease("watches", on: database)
    worker = try WatchWorker(
      matcher: WatchMatcher(
        database: database, writer: writer,
        matches: MatchStore(environment: environment, filter: filter), news: news, lease: lease),
      database: database, writer: writer, mails: mails,
      webhooks: WebhookStore(
        environment: environment, store: store, mails: mails, features: try instance.part(),
        secrets: secrets, news: news),
      site: PublicFile(loopback: instance.settings.siteLoopback, lookups: Self.lookups),
      lease: lease, logger: instance.logger)
    tests = instance.rates.limit("watches.tests", 10, per: .seconds(3_600))
    challenges = instance.rates.limit("watches.challenges", 20, per: .seconds(3_600))
    changes = instance.rates.limit("watches.changes", 120, per: .seconds(3_600))
    devices.index.observe(with: worker)
  }

  package var endpoints: [Endpoint] {
    WatchRoutes(watches: self).endpoints + WatchFeedRoutes(watches: self).endpoints
  }

  package var schemas: [Schema] {
    ShownWatch.components
      + JSONSchema.named([
        "newWatch": ShownWatch.body(isNew: true, properties: form.properties),
        "watchChange": ShownWatch.body(isNew: false, properties: form.properties),
      ])
  }

  package var jobs: [Job] {
    let sweep = WatchSweep(database: database, environment: environment, store: store, mails: mails)
    return [Job(WatchSweep.job, every: WatchSweep.every, run: sweep.run)]
  }

  /// Starts the threads that compare changes and deliver them.
  package func start() { worker.start() }

  /// Ends the threads of ``start()``.
  package func stop() { worker.stop() }

  /// Does everything that is due, on the calling thread.
  package func finish() throws { try worker.finish() }

  func shown(_ watch: StoredWatch) -> ShownWatch {
    let renewed = Timestamp(text: watch.renewedAt) ?? environment.now()
    return ShownWatch(
      watch: watch, secrets: secrets, addresses: addresses,
      endsOn: WatchSweep.end(ofOneRenewedAt: renewed).text)
  }

  /// - Throws: a 429 ``Refusal`` after too many tests.
  func spendTest(_ account: Int64) throws {
    guard let seconds = try tests.take(account) else { return }
    throw Refusal(
      .tooManyRequests, "error.watch.tests", ["minutes": "\((seconds + 59) / 60)"],
      headers: ["Retry-After": "\(seconds)"])
  }

  /// Counts the challenge of a webhook, if the new settings of a watch make one.
  ///
  /// - Throws: a 429 ``Refusal`` after too many.
  func spendChallenge(
    _ settings: WatchSettings, over watch: StoredWatch?, of account: Int64
  ) throws {
    if store.isChallenged(by: settings, over: watch) { try challenges.spend(account) }
  }

  /// The token of a request without signing in.
  func mailToken(_ request: Request) throws -> String {
    guard let token = request.query["token"], secrets.mailKey(token) != nil else {
      throw WatchStore.notThere
    }
    return token
  }
}
