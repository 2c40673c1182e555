internal import CMicroHTTPD
internal import Glibc
internal import Locking
package import Logging
internal import Metrics
internal import Synchronization

/// An HTTP/1.1 server based on libmicrohttpd. It listens from `init` until ``stop(within:)`` or `deinit`.
///
/// One worker thread per core, each with a separate epoll, runs the handlers. Farol adds the parts that libmicrohttpd
/// lacks: an acceptor that distributes connections, a guard that checks each request, a reaper for slow clients,
/// limits per address, and load shedding.
package final class Server: Sendable {
  /// The port it listens on, also if port 0 was requested.
  package let port: UInt16

  private let context: ServerContext
  private let running: Monitor<Running?>

  /// The resources of a running server.
  private struct Running {
    let listener: Int32
    let acceptor: Acceptor
    let daemons: Daemons
    let reaper: Reaper
  }

  /// Starts listening and answering.
  ///
  /// - Throws: ``ServerError`` with a sentence for the person who starts the server.
  package init(
    configuration: ServerConfiguration, router: Router, logger: Logger
  ) throws(ServerError) {
    signal(SIGPIPE, SIG_IGN)
    var configuration = configuration
    let asked = configuration.connections
    Self.fit(&configuration)
    if configuration.connections < asked {
      logger.warning(
        "Fewer connections than asked for, as the system allows no more file descriptors.",
        metadata: ["connections": "\(configuration.connections)", "asked": "\(asked)"])
    }
    var router = router
    router.logger = logger
    if configuration.secure || configuration.certificate != nil { router.security.secure = true }
    router.security.securesSubdomains = configuration.securesSubdomains
    guard let hangups = HangupWatch() else { throw .libraryRefused }
    let context: ServerContext
    do throws(InvalidCertificate) {
      context = try ServerContext(configuration, router, logger, hangups)
    } catch {
      throw .unusableCertificate(error)
    }
    let socket = try ListeningSocket(configuration)
    guard let running = Self.start(context, on: socket.descriptor) else {
      close(socket.descriptor)
      throw .libraryRefused
    }
    self.context = context
    port = socket.port
    self.running = Monitor(running)
  }

  deinit { stop(within: .zero) }

  /// Stops gracefully: accepts no new connections, lets current requests finish, then closes
  /// everything. A second call has no effect.
  ///
  /// - Parameter grace: the maximum time for current requests.
  package func stop(within grace: Duration) {
    // Only the caller that removes the state stops the server.
    let taken = running.withLock { running in
      defer { running = nil }
      return running
    }
    guard let taken else { return }
    context.isStopping.store(true, ordering: .relaxed)
    // On a socket of another process, pending connections wait for the next program.
    taken.acceptor.stop()
    close(taken.listener)
    context.suspensions.endEndless()
    waitForRequests(until: .now + grace)
    context.suspensions.close()
    while !context.suspensions.isEmpty { usleep(1_000) }
    waitForRequests(until: .now + .milliseconds(200))
    taken.reaper.stop()
    taken.daemons.stop()
    context.lingering?.stop()
  }

  /// Reloads the certificate files for new connections. Without TLS it has no effect.
  ///
  /// - Throws: ``InvalidCertificate``. The previous certificate then stays in use.
  package func reloadCertificate() throws(InvalidCertificate) {
    try context.certificates?.reload()
  }

  /// Currently open connections.
  package var connectionCount: Int { context.table.count }

  /// Requests in progress.
  package var requestCount: Int { context.activity.requests.value }

  private func waitForRequests(until deadline: ContinuousClock.Instant) {
    while context.activity.requests.value > 0, ContinuousClock.now < deadline {
      usleep(2_000)
    }
  }

  /// Nil when the system has no more threads or descriptors.
  private static func start(_ context: ServerContext, on listener: Int32) -> Running? {
    guard let daemons = Daemons(context) else { return nil }
    let shortest = min(context.configuration.headTime, context.configuration.bodyTime)
    let interval = min(.milliseconds(500), shortest / 10)
    guard let reaper = Reaper(context.table, context.hangups, interval: interval) else {
      daemons.stop()
      return nil
    }
    guard let acceptor = Acceptor(listener, to: daemons, context) else {
      reaper.stop()
      daemons.stop()
      return nil
    }
    return Running(listener: listener, acceptor: acceptor, daemons: daemons, reaper: reaper)
  }

  /// Descriptors that connections never use: they are for the database, files, pictures and mail, and for libdispatch,
  /// which terminates the program if it gets none.
  private static let descriptorsKept = 96

  /// Reduces the connections, if necessary, to the number that the limit of descriptors allows together with their
  /// reserve. It first raises that limit if possible.
  private static func fit(_ configuration: inout ServerConfiguration) {
    let limit = raisedDescriptorLimit(to: configuration.connections * 2 + descriptorsKept)
    let room = limit - descriptorsKept
    while configuration.connections > 8,
      configuration.connections + configuration.reserve > room
    {
      configuration.connections -= max(
        1, (configuration.connections + configuration.reserve - room) / 2)
    }
    let spare = room - configuration.connections - configuration.reserve
    configuration.waitingRoom = min(configuration.waitingRoom, max(0, spare / 2))
    configuration.lingerConnections = min(configuration.lingerConnections, max(4, spare / 4))
  }

  /// The limit of descriptors, raised towards `wanted` as far as the hard limit allows.
  private static func raisedDescriptorLimit(to wanted: Int) -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return wanted }
    let wanted = min(rlim_t(wanted), limit.rlim_max)
    if limit.rlim_cur < wanted {
      let before = limit.rlim_cur
      limit.rlim_cur = wanted
      if setrlimit(resource, &limit) != 0 { limit.rlim_cur = before }
    }
    return Int(clamping: limit.rlim_cur)
  }
}
