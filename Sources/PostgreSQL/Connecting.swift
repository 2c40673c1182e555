internal import CPostgreSQL
internal import Glibc

// Establishing a connection.
extension ServerConnection {
  /// Connects within the time limit, which the hosts of the address share: a paused machine accepts connections and
  /// then does not answer, and libpq would never go on to the next host.
  ///
  /// - Returns: the connection, and the address of its host alone.
  static func open(
    _ address: ServerAddress, _ limits: ConnectionLimits
  ) throws(ServerFault) -> (OpaquePointer, ServerAddress) {
    let hosts = address.attempts
    var last: ServerFault?
    for host in hosts {
      do throws(ServerFault) {
        return (try open(host, limits, within: limits.connect / hosts.count), host)
      } catch {
        // Standbys show that the database runs, whatever became of the other hosts.
        if last?.kind != .readOnly { last = error.kind == .readOnly ? .standby(address) : error }
      }
    }
    throw last ?? .lost()
  }

  private static func open(
    _ host: ServerAddress, _ limits: ConnectionLimits, within time: Duration
  ) throws(ServerFault) -> OpaquePointer {
    let parameters = host.parameters(limits)
    guard let handle = withPointers(to: parameters, { PQconnectStartParams($0, $1, 0) }) else {
      throw ServerFault(.unreachable, "There is no memory for a connection to PostgreSQL.")
    }
    postgresql_ignore_notices(handle)
    // The message then ends in an SQLSTATE, which is the same in every language.
    PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
    if let fault = finish(handle, host, within: time) {
      PQfinish(handle)
      throw fault
    }
    return handle
  }

  /// Passes keywords and values as C texts.
  static func withPointers<T>(
    to parameters: [(String, String)],
    _ body: ([UnsafePointer<CChar>?], [UnsafePointer<CChar>?]) -> T
  ) -> T {
    let texts = parameters.map { (strdup($0.0), strdup($0.1)) }
    defer {
      for (keyword, value) in texts {
        free(keyword)
        free(value)
      }
    }
    return body(
      texts.map { UnsafePointer($0.0) } + [nil], texts.map { UnsafePointer($0.1) } + [nil])
  }

  /// Nil once the connection is established.
  private static func finish(
    _ handle: OpaquePointer, _ address: ServerAddress, within time: Duration
  ) -> ServerFault? {
    guard PQstatus(handle) != CONNECTION_BAD else { return refusal(handle, address) }
    let end = ContinuousClock.now + time
    // libpq wants this state to be assumed at first (§34.2 of its documentation).
    var state = PGRES_POLLING_WRITING
    while state != PGRES_POLLING_OK {
      if state == PGRES_POLLING_FAILED { return refusal(handle, address) }
      let event = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard awaitEvent(PQsocket(handle), event, until: end) else {
        return ServerFault(
          .unresponsive,
          "PostgreSQL at \(address) did not answer within \(time.wholeMilliseconds) ms.")
      }
      state = PQconnectPoll(handle)
    }
    return nil
  }

  /// Waits until a socket can be read or written. False at the end of the time.
  static func awaitEvent(_ socket: Int32, _ event: Int32, until end: ContinuousClock.Instant?)
    -> Bool
  {
    var waiting = pollfd(fd: socket, events: Int16(event), revents: 0)
    while true {
      let left = end.map { ($0 - .now).wholeMilliseconds + 1 }
      let count = poll(&waiting, 1, Int32(clamping: left ?? -1))
      if count > 0 || (count < 0 && errno != EINTR) { return true }
      if let end, end <= .now { return false }
    }
  }

  /// Why a connection was not established, in one sentence.
  private static func refusal(_ handle: OpaquePointer, _ address: ServerAddress) -> ServerFault {
    let message = String(cString: PQerrorMessage(handle))
    let state = sqlState(in: message)
    func fault(_ kind: ServerFault.Kind, _ sentence: String) -> ServerFault {
      ServerFault(kind, "PostgreSQL at \(address) \(sentence).", sqlState: state)
    }
    if PQconnectionNeedsPassword(handle) == 1 {
      return fault(.refused, "asks for a password, and the address contains none")
    }
    switch ServerFault.Kind(sqlState: state) {
    case .refused: return fault(.refused, "refused the user or the password")
    case .database: return fault(.database, "has no database of this name")
    case .busy: return fault(.busy, "has no connection left")
    case .unreachable: return fault(.unreachable, "does not accept connections: it starts or stops")
    case .connectionLost where state.isEmpty: break
    default: return fault(.unreachable, "refused the connection")
    }
    // The words of libpq itself, which does not translate them for a program that never calls setlocale.
    let strange = ["expected authentication request", "invalid response to SSL negotiation"]
    if strange.contains(where: message.contains) {
      return ServerFault(
        .notPostgreSQL, "The program that answers at \(address) is not PostgreSQL.")
    }
    if message.contains("session is read-only") { return .standby(address) }
    let line = message.split(whereSeparator: \.isNewline).first ?? ""
    let reason = line.lastIndex(of: ":").map { line[$0...].dropFirst(2) } ?? "of an unknown reason"
    return ServerFault(.unreachable, "PostgreSQL at \(address) cannot be reached: \(reason).")
  }

  /// The SQLSTATE that ends a message; empty without one.
  private static func sqlState(in message: String) -> String {
    guard let last = message.split(whereSeparator: \.isWhitespace).last, last.utf8.count == 5,
      last.utf8.allSatisfy({ byte in
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      })
    else { return "" }
    return String(last)
  }
}
