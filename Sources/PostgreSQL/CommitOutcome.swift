internal import Glibc

/// The state, as a server knows it, of a transaction whose connection ended during COMMIT.
enum CommitOutcome: Equatable {
  case committed, rolledBack, inProgress
  /// Nothing, or nothing reliable.
  case unknown

  /// - Parameters:
  ///   - status: the result of `pg_xact_status`.
  ///   - isSameRun: whether the server has neither crashed nor been replaced since the transaction. Otherwise another
  ///     transaction may have got the same number, because a server may lose numbers that it has assigned but not
  ///     written to its disk. It never loses one that it has committed, so the other states are reliable.
  init(status: String?, isSameRun: Bool) {
    switch status {
    case "committed": self = isSameRun ? .committed : .unknown
    case "aborted": self = .rolledBack
    case "in progress": self = isSameRun ? .inProgress : .unknown
    default: self = .unknown
    }
  }
}

extension ServerConnection {
  /// Returns if the transaction is stored.
  ///
  /// - Throws: `fault` if it is rolled back; a fault of kind `unknownOutcome` if the server does not report the outcome
  ///   in time.
  func confirmCommit(of number: String, after fault: ServerFault) throws(ServerFault) {
    let end = ContinuousClock.now + limits.outcome
    repeat {
      switch askForOutcome(of: number) {
      case .committed: return
      case .rolledBack: throw fault
      case .unknown:
        throw ServerFault(
          .unknownOutcome,
          "the connection to PostgreSQL ended during COMMIT, and the server was replaced: the outcome is unknown"
        )
      case .inProgress, nil: usleep(50_000)
      }
    } while ContinuousClock.now < end
    throw ServerFault(
      .unknownOutcome,
      "the connection to PostgreSQL ended during COMMIT, and the outcome is unknown")
  }

  /// Asks over another connection. Nil if no primary answers.
  private func askForOutcome(of number: String) -> CommitOutcome? {
    guard let other = try? ServerConnection(address, limits: limits, fence: fence),
      let run = other.incarnation
    else { return nil }
    other.deadline = .now + limits.outcome
    do throws(ServerFault) {
      // Needs no transaction number, so it cannot take this one.
      let found = try other.run(
        "SELECT pg_xact_status(CAST(CAST(? AS text) AS xid8))", [.text(number)])
      let outcome = CommitOutcome(
        status: found.withRow(0) { $0.optionalText(0) }, isSameRun: run == incarnation)
      // The message is written to the log of the server, so its COMMIT waits for synchronous standbys, and with it for
      // everything before: only then is the outcome safe.
      if outcome == .committed {
        try other.control("SELECT pg_logical_emit_message(true, 'farol', 'outcome')")
      }
      return outcome
    } catch {
      // The number is in the future: the server that took over never had the transaction.
      return error.sqlState == "22023" ? .rolledBack : nil
    }
  }
}
