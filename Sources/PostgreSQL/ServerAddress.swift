internal import CPostgreSQL

/// Where a database is and how to sign in: a URL such as `postgresql://farol@db.example.org/farol`.
///
/// The URL has libpq's parameters (PostgreSQL documentation §34.1.1 and §34.1.2): several hosts, `sslmode`, `passfile`.
/// Of several hosts the primary is used, unless `target_session_attrs` selects another. `connect_timeout` has no
/// effect: ``ConnectionLimits`` sets the limit, and the hosts share it. The environment variables and the password file
/// of libpq complete the URL. ``description`` contains neither the user nor the password.
package struct ServerAddress: Sendable {
  /// The keywords of libpq and their values.
  private let options: [String: String]
  /// Which one of several hosts, as `target_session_attrs` names it.
  private let target: String

  /// `target` is the default of `target_session_attrs` for several hosts.
  ///
  /// - Throws: ``ServerFault`` of kind `address`. The sentence does not repeat any part of the URL.
  package init(url: String, target: String = "read-write") throws(ServerFault) {
    self.target = target
    guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://") else {
      throw ServerFault(.address, "The address of the database does not begin with postgresql://.")
    }
    guard !url.utf8.contains(0), let parsed = Self.parse(url) else {
      throw ServerFault(
        .address,
        "The address of the database is not a valid URL: a character such as % in the password must be "
          + "written as %25.")
    }
    // A password with an unescaped @ or / ends up in the host or the name of the database.
    // Bytes, because a combining mark makes another character of the @.
    let isMistaken = ["host", "dbname"].contains { keyword in
      parsed[keyword]?.utf8.contains(UInt8(ascii: "@")) ?? false
    }
    let ports = (parsed["port"] ?? "").split(separator: ",")
    guard !isMistaken, ports.allSatisfy({ UInt16($0) ?? 0 > 0 }) else {
      throw ServerFault(
        .address,
        "The address of the database is not a valid URL: @, : and / in the user name or the password must be "
          + "written as %40, %3A and %2F.")
    }
    options = parsed
  }

  private init(options: [String: String], target: String) {
    (self.options, self.target) = (options, target)
  }

  /// The parameters in a URL, as libpq reads them. Nil if it is not valid.
  private static func parse(_ url: String) -> [String: String]? {
    // The message of libpq quotes the URL.
    var message: UnsafeMutablePointer<CChar>?
    defer { PQfreemem(message) }
    guard let list = PQconninfoParse(url, &message) else { return nil }
    defer { PQconninfoFree(list) }
    var found: [String: String] = [:]
    var option = list
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { found[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return found
  }

  /// The hosts one by one, if there are several.
  var singleHosts: [ServerAddress] { hostCount > 1 ? hosts(target: nil) : [] }

  /// The attempts to connect, in order. `prefer-standby` takes another server if no standby answers.
  var attempts: [ServerAddress] {
    guard hostCount > 1 else { return [self] }
    let wanted = options["target_session_attrs"] ?? target
    let targets = wanted == "prefer-standby" ? ["standby", "any"] : [wanted]
    return targets.flatMap { hosts(target: $0) }
  }

  /// Each host alone, with this value of `target_session_attrs`.
  private func hosts(target: String?) -> [ServerAddress] {
    func list(_ keyword: String) -> [Substring] {
      options[keyword]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    }
    let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
    return (0..<hostCount).map { place in
      var single = options
      for (keyword, values) in [("host", hosts), ("hostaddr", addresses), ("port", ports)] {
        guard let value = values.count == 1 ? values.first : values.dropFirst(place).first else {
          continue
        }
        single[keyword] = value.isEmpty ? nil : String(value)
      }
      single["target_session_attrs"] = target
      return ServerAddress(options: single, target: "any")
    }
  }

  private var hostCount: Int {
    ["host", "hostaddr"].map { keyword in
      (options[keyword] ?? "").utf8.count { $0 == UInt8(ascii: ",") } + 1
    }.max() ?? 1
  }

  /// The keywords and values for libpq, with defaults for missing ones.
  func parameters(_ limits: ConnectionLimits) -> [(String, String)] {
    let defaults = [
      "application_name": "farol",
      // Kerberos would look for tickets on each connection.
      "gssencmode": "disable",
      "tcp_user_timeout": "5000",
      "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3",
    ]
    var all = options.merging(defaults) { given, _ in given }
    all["client_encoding"] = "UTF8"
    let settings = [
      "timezone=UTC", "datestyle=ISO", "standard_conforming_strings=on", "bytea_output=hex",
      "client_min_messages=warning", "extra_float_digits=1",
      // Farol's tables are in `main`, SQLite's name for the database itself; PostGIS is in `public`.
      "search_path=main,public",
      // A limit that the database sets for its users would also cancel a COMMIT that waits for synchronous standbys,
      // and the server would then report as stored what no standby has.
      "statement_timeout=0",
      "idle_in_transaction_session_timeout=\(limits.idleTransaction.wholeMilliseconds)",
    ]
    all["options"] = ([options["options"]].compactMap { $0 } + settings.map { "-c \($0)" })
      .joined(separator: " ")
    return all.sorted { $0.key < $1.key }
  }
}

extension ServerAddress: CustomStringConvertible {
  /// The hosts with their ports and the name of the database.
  package var description: String {
    let hosts = (options["host"] ?? options["hostaddr"] ?? "").split(separator: ",")
    let ports = (options["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
    let places = hosts.enumerated().map { index, host in
      let port = (ports.count == 1 ? ports.first : ports.dropFirst(index).first) ?? ""
      return port.isEmpty ? String(host) : "\(host):\(port)"
    }
    let name = options["dbname"].map { "/\($0)" } ?? ""
    return (places.isEmpty ? "this machine" : places.joined(separator: ", ")) + name
  }
}

extension ServerAddress: CustomReflectable, CustomDebugStringConvertible {
  package var debugDescription: String { description }
  /// Without the options, so that `dump` does not print a password either.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Time limits of connections.
package struct ConnectionLimits: Sendable {
  /// The longest wait for a connection to be established, over all hosts of the URL. libpq resolves names before, with
  /// the limits of the system's resolver.
  package var connect = Duration.seconds(10)
  /// The time that a server waits for the next statement of a transaction before it ends the connection. A lost or
  /// paused client then holds no lock: all other servers wait for its turn to write.
  package var idleTransaction = Duration.seconds(8)
  /// The time for which a server may be silent during a statement without a time limit before a sign of life is
  /// requested.
  package var silence = Duration.seconds(5)
  /// The time that a sign of life may take; libpq counts in seconds, at least two.
  package var signOfLife = Duration.seconds(4)
  /// The time that a cancelled statement may take to end before the connection is closed.
  package var cancel = Duration.seconds(5)
  /// The time that a transaction waits for a lock.
  package var lock = Duration.seconds(5)
  /// The usual time limit of a transaction, for connections that only read: the server stops longer statements, and
  /// refuses changes outside of transactions. Nil for connections that write.
  package var read: Duration?
  /// The time for finding the outcome of a COMMIT whose connection ended.
  package var outcome = Duration.seconds(10)

  package init() {}
}

extension Duration {
  /// Milliseconds, clamped to the range of `Int32`.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(min(max(seconds, 0), 2_000_000)) * 1_000
      + Int(max(0, attoseconds) / 1_000_000_000_000_000)
  }
}
