import Import
import PrivacyMap

/// A list of devices that a contributor proposes.
struct Proposal: Sendable {
  enum State: String, CaseIterable, Sendable {
    case open, accepted, refused
    /// Accepted, and its import was undone since.
    case undone
  }

  /// The source of the data as the contributor states it.
  struct Source: Sendable {
    var name, licence, attribution: String
    var url: String?
  }

  /// The number of rows of the file by outcome.
  struct Counts: Equatable, Sendable {
    var rows = 0
    var devices = 0
    var flagged = 0
    var skipped = 0
    var refused = 0
  }

  /// The decision of a moderator.
  struct Decision: Sendable {
    let at: String
    let by, reason: String?
    /// The number of rows accepted.
    let accepted: Int64
    /// The import of the accepted rows; nil if none was accepted.
    let importRun: Int64?
  }

  let rowid: Int64
  let id: String
  /// Nil if the account was deleted.
  let account: Int64?
  let by: String?
  let file: String
  let bytes: Int64
  let format: String
  let source: Source
  let comment: String?
  let counts: Counts
  let state: State
  let createdAt, expiresAt: String
  let decision: Decision?
  /// When its rows were compared with the map; nil if they were not since it was opened.
  let comparedAt: String?

  /// Maximum number of devices in a proposal.
  static let maximum = 500
  /// Maximum number of proposals of one account that wait for a decision.
  static let maxOpen = 3
  /// Days until an undecided proposal is deleted.
  static let openDays: Int64 = 180
  /// Days until a decided proposal is deleted. The devices of accepted rows remain.
  static let decidedDays: Int64 = 90

  /// The moment this many days after another.
  static func end(_ days: Int64, after moment: Timestamp) -> Timestamp {
    Timestamp(secondsSinceEpoch: moment.secondsSinceEpoch + Seconds.days(days))
  }
}

/// A row of a proposal, as the device that it becomes.
struct ProposedRow: Sendable {
  /// Its place among the devices of the proposal, counted from 1.
  let number: Int
  let device: ImportedDevice
  /// Nil until the decision.
  var isAccepted: Bool?
  var caution = ProposalCaution.Finding()
  /// The stored duplicates, without names.
  var found: [(id: String, distance: Double)] = []
}
