import App
import ArgumentParser
import Devices
import Foundation
import Logging
import Mail
import Operations
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `farol serve`: runs the server until it receives a stop signal.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the map.")

  @OptionGroup var options: ServeOptions

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    var configuration = try Configuration(options, environment: environment)
    let format = try LogFormat(options.common.log, environment)
    configuration.server.accessLog = format.requestLog.write
    let logger = format.logger
    // Blocked before any thread is started, so that only the wait below receives them.
    let signals = Signals()
    let manager = ServiceNotification(environment: environment)
    let system = try SystemEnvironment.make(environment)
    var folders = Folders(
      front: configuration.front, seed: configuration.home.seed,
      data: [configuration.database.folder, configuration.home.data])
    folders.streets = configuration.streets
    folders.satellite = configuration.satellite
    if let media = configuration.media { folders.media = URL(fileURLWithPath: media) }
    if let snapshots = configuration.snapshots {
      folders.snapshots = URL(fileURLWithPath: snapshots)
    }
    folders.backups = configuration.backups.map { URL(fileURLWithPath: $0) }
    folders.imageProgram = configuration.imageProgram
    // Before a migration that ends the writes of earlier servers, because reading them is most of a start.
    let files = App.files(of: folders)
    let database = try InstanceDatabase.open(
      configuration.database, home: configuration.home, replica: configuration.replica, serves: true
    ) { _ = try files.value() }
    try InstanceDatabase.compareClocks(database, system, logger)
    for warning in try database.serverWarnings() { logger.warning("\(warning)") }
    try MailSeal(of: database, now: system.now).prepare()
    let control = try ControlSocket(beside: configuration.database.local)
    let scheme = configuration.server.certificate == nil ? "http" : "https"
    let listening = "\(scheme)://\(configuration.server.host):\(configuration.server.port)"
    let monitoring = Monitoring(
      access: configuration.metrics, logLinesDropped: LogOutput.dropped)
    let app = try App(
      database: database, folders: folders, files: files, settings: configuration.settings,
      addresses: Addresses(base: configuration.baseURL ?? listening),
      secure: configuration.server.secure, environment: system, logger: logger,
      monitoring: monitoring)
    configuration.server.activity = monitoring.server
    configuration.server.observer = monitoring.observer
    let server = try Server(
      configuration: configuration.server, router: app.router, logger: logger)
    let outbox = configuration.database.folder.appendingPathComponent("mail")
    let transport = configuration.mail.transport(orInto: outbox)
    let bounces = try configuration.mail.bounces.map { try app.bounceTokens($0.address) }
    let mail = app.mailSender(
      from: configuration.mail.sender, bounces: bounces, through: transport)
    let mailbox = configuration.mail.bounces.map { POP3Mailbox(at: $0.mailbox) }
    let jobs = JobRunner(
      database: database, writer: app.writes, environment: system, logger: app.logger,
      works: app.works.merging([MailSender.job: mail.send]) { $1 }
        .merging(app.bounceWorks(bounces, mailbox)) { $1 },
      apart: [MailSender.job, BounceReader.job] + app.longWorks.sorted(),
      cleanups: [MailSender.job: mail.erase],
      repeated: app.repeatedWorks.merging(
        mailbox == nil ? [:] : [BounceReader.job: BounceReader.interval]
      ) { $1 },
      figures: monitoring.jobs, stopping: app.stopping)
    logger.notice("\(configuration.mail.announcement(folder: outbox))")
    jobs.start()
    app.start()
    control.serve(app, home: configuration.home, logger: logger)
    let address = configuration.baseURL ?? "\(scheme)://\(configuration.server.host):\(server.port)"
    logger.notice(
      "serving \(app.index.snapshot.count) devices at \(address)",
      metadata: ["version": "\(Farol.version)"])
    // Releases the memory used during the start.
    ProcessMemory.giveBack()
    let supervision = Supervision(manager) {
      app.router.respond(to: Request(.get, "/readyz")).status == .ok
    }

    while signals.wait(every: 10, ProcessMemory.giveBack) == .reload { reload(server, logger) }
    supervision.stop()
    manager.send(.stopping)
    logger.notice("stopping: requests under way may finish")
    // Before the server stops, because jobs take a while to notice.
    app.stopping.begin()
    server.stop(within: .seconds(10))
    app.stop()
    transport.stop()
    mailbox?.stop()
    jobs.stop()
    control.close()
    try database.close()
    logger.notice("stopped")
    LogOutput.finish(within: .seconds(1))
  }

  private func reload(_ server: Server, _ logger: Logger) {
    do { try server.reloadCertificate() } catch {
      logger.error("the certificate was not read again", metadata: ["error": "\(error)"])
    }
  }
}
