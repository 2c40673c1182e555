internal import Foundation

/// The state of its PostgreSQL database that a server has seen. A database without this state is behind.
struct SeenState: Codable, Equatable, Sendable {
  /// The identifier of the cluster, which `initdb` draws.
  var system: String
  /// The number of the database in the cluster. Another one was chosen by the operator.
  var database: String
  /// The timeline of the primary: higher after each takeover and each restore.
  var timeline: UInt32
  /// When `farol settle` accepted an earlier state last, see ``Database/acceptState()``. Empty if never.
  var accepted: String
  /// The last change that is known to be stored, as ``Database/Continuity/contains`` understands it. Empty for none.
  var change = ""

  /// Why a database is behind this state. Nil if it is not.
  ///
  /// - Parameters:
  ///   - found: the state of the database. Its `change` has no meaning.
  ///   - isStandby: whether it is a standby, which has no separate timeline.
  ///   - contains: whether the database contains ``change``.
  /// - Returns: the reason, as a part of a sentence.
  func objection(
    to found: SeenState, isStandby: Bool, contains: (String) throws -> Bool
  ) rethrows -> String? {
    if system == found.system, database != found.database { return nil }
    if found.accepted > accepted { return nil }
    if found.accepted < accepted {
      return "it was restored to an earlier time before that of \(accepted)"
    }
    if system == found.system, !isStandby, found.timeline < timeline {
      return "its timeline is \(found.timeline), and this server has seen \(timeline)"
    }
    if !change.isEmpty, try !contains(change) {
      return "it lacks change \(change.prefix { $0 != "-" }), which this server has seen"
    }
    return nil
  }
}

/// The file with the ``SeenState`` of the last run.
struct SeenStateFile: Sendable {
  let path: String

  /// Nil without a file. An unreadable file counts as missing: the state of this run counts.
  func read() -> SeenState? {
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    return try? JSONDecoder().decode(SeenState.self, from: bytes)
  }

  /// Without waiting for the disk: a server that finds an older state after a power cut knows less, and nothing wrong.
  func write(_ state: SeenState) {
    guard let bytes = try? JSONEncoder().encode(state) else { return }
    try? bytes.write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
