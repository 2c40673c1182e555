internal import CMicroHTTPD
internal import Glibc
internal import Locking
package import Logging
internal import Metrics
internal import Synchronization

/// An HTTP/1.1 server over libmicrohttpd, listening from `init` until ``stop(within:)`` or `deinit`.
///
/// As many threads as there are cores, each with its own epoll, run the handlers. What libmicrohttpd lacks
/// stands around it: an acceptor that shares connections out, a guard before each request, a reaper of
/// slow clients, limits per address, shedding.
package final class Server: Sendable {
  /// The port it listens on, also where 0 was asked for.
  package let port: UInt16

  private let context: ServerContext
  private let running: Monitor<Running?>

  /// What a running server owns.
  private struct Running {
    let listener: Int32
    let acceptor: Acceptor
    let daemons: Daemons
    let reaper: Reaper
  }

  /// Starts to listen and to answer.
  ///
  /// - Throws: ``ServerError`` with a sentence for whoever starts it.
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

  /// Stops in good order: nobody new is let in, requests under way may finish, then everything is
  /// closed. Once stopped, it does nothing.
  ///
  /// - Parameter grace: how long requests under way may take.
  package func stop(within grace: Duration) {
    // Whoever takes it out stops it, once.
    let taken = running.withLock { running in
      defer { running = nil }
      return running
    }
    guard let taken else { return }
    context.isStopping.store(true, ordering: .relaxed)
    // On a socket of somebody else's they wait for the program that comes next.
    taken.acceptor.stop()
    close(taken.listener)
    waitForRequests(until: .now + grace)
    context.suspensions.close()
    while !context.suspensions.isEmpty { usleep(1_000) }
    waitForRequests(until: .now + .milliseconds(200))
    taken.reaper.stop()
    taken.daemons.stop()
    context.lingering?.stop()
  }

  /// Reads the files of the certificate again, for connections to come; without TLS it does nothing.
  ///
  /// - Throws: ``InvalidCertificate``; then the one that was read before stays.
  package func reloadCertificate() throws(InvalidCertificate) {
    try context.certificates?.reload()
  }

  /// Connections open now.
  package var connectionCount: Int { context.table.count }

  /// Requests under way now.
  package var requestCount: Int { context.activity.requests.value }

  private func waitForRequests(until deadline: ContinuousClock.Instant) {
    while context.activity.requests.value > 0, ContinuousClock.now < deadline {
      usleep(2_000)
    }
  }

  /// Nil when the system gives no more threads or descriptors.
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

  /// Descriptors that connections never take: those of the database, files, pictures and mail, and
  /// of libdispatch, which ends the program where it gets none.
  private static let descriptorsKept = 96

  /// Leaves as many of the connections asked for as the limit of descriptors, raised if need be, allows
  /// together with their reserve.
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
