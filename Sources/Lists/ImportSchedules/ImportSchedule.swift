import JSON
import PrivacyMap
import SafeFetch
import Service

/// An import that repeats from a URL.
struct ImportSchedule: Sendable {
  /// The time of runs, in UTC.
  struct Timing: Equatable, Sendable {
    enum Interval: String, CaseIterable, Sendable { case day, week, month }

    var every: Interval
    /// The day of the week from 1, Monday, to 7, or of the month from 1 to 28. Without meaning for daily runs.
    var day: Int
    var hour: Int

    /// The first run after a time.
    func next(after now: Timestamp) -> Timestamp {
      var day = now.day
      // At most a month, as each month has the days up to 28.
      for _ in 0...32 {
        let time = Timestamp(
          secondsSinceEpoch: Timestamp(startOf: day).secondsSinceEpoch + Int64(hour) * 3_600)
        if holds(day), time > now { return time }
        day = day.adding(days: 1)
      }
      return Timestamp(startOf: day)
    }

    private func holds(_ day: Day) -> Bool {
      switch every {
      case .day: true
      // The epoch, 1 January 1970, was a Thursday.
      case .week: ((Int(day.daysSinceEpoch) + 3) % 7 + 7) % 7 + 1 == self.day
      case .month: day.parts.day == self.day
      }
    }
  }

  /// The cause for which a schedule was disabled.
  enum End: String, CaseIterable, Sendable {
    case admin
    /// It failed ``ImportScheduleStore/maxFailures`` times in succession.
    case failures
    /// Its admin was deleted or is no longer an admin.
    case account
  }

  enum Outcome: String, CaseIterable, Sendable {
    case imported
    /// The file is the one of the last run.
    case unchanged
    /// The file differs so much from the last import that an admin must confirm it.
    case held
    case failed
  }

  /// The choices of an admin.
  struct Settings: Equatable, Sendable {
    var name: String
    var link: PublicLink
    /// The mapping file as a JSON text.
    var mapping: String
    var source: String?
    var licence: String?
    var timing: Timing
    var isEnabled: Bool
    /// The treatment of devices that the list no longer contains.
    var missing = Missing()
  }

  /// The treatment, without an admin, of devices that the list no longer contains.
  struct Missing: Equatable, Sendable {
    /// Nil: they stay, and the report lists them.
    var action: MissingAction?
    /// The maximum number in one run; if there are more, all stay.
    var limit = 20

    static let limits = 1...10_000
  }

  /// See ``MissingDevices/Action``.
  enum MissingAction: String, CaseIterable, Sendable { case withdraw, remove }

  /// The last run.
  struct LastRun: Sendable {
    let ranAt: String
    let outcome: Outcome
    let problem: ImportProblem?
    /// Its report; nil without one or after its deletion.
    let importRun: Int64?
  }

  let id: Int64
  let settings: Settings
  /// The admin who gets the reports; nil if the account was deleted.
  let account: Int64?
  let by: String?
  let createdAt: String
  let dueAt: String?
  let queuedAt: String?
  let endedBy: End?
  /// The version and the digest of the last file that was read.
  let version: PublicFile.Version
  let digest: String?
  let lastRun: LastRun?
  let failures: Int64
}

/// The reason why a run imported nothing.
struct ImportProblem: Equatable, Sendable {
  enum Code: String, CaseIterable, Sendable {
    // The file could not be downloaded.
    case unknownHost = "unknown_host"
    case notPublic = "not_public"
    case unreachable, untrusted, status, redirect
    case tooLong = "too_long"
    case incomplete
    case noRoom = "no_room"
    // The file could not be imported.
    case unreadable, mapping, busy, broken
    /// The file states that it is only a part of the list.
    case partial
    // The file differs too much from the last import.
    case empty
    case fewerRows = "fewer_rows"
    case refusedRows = "refused_rows"
    case changedRows = "changed_rows"
    case goneRows = "gone_rows"
  }

  let code: Code
  /// Values of the placeholders of its sentence.
  let facts: [String: String]

  init(_ code: Code, _ facts: [String: String] = [:]) {
    self.code = code
    self.facts = facts
  }

  /// Reads the stored code and ``storedFacts``; nil without a code.
  init?(code: String?, facts: String?) {
    guard let code = code.flatMap(Code.init(rawValue:)) else { return nil }
    let stored = facts.flatMap { try? JSONValue(parsing: Array($0.utf8)) }?.objectValue
    let pairs = (stored?.members ?? []).compactMap { member in
      member.value.stringValue.map { (member.key, $0) }
    }
    self.init(code, Dictionary(pairs) { first, _ in first })
  }

  init(downloading failure: DownloadFailure) {
    switch failure {
    case .site(.unknownHost): self.init(.unknownHost)
    case .site(.notPublic): self.init(.notPublic)
    case .site(.untrusted): self.init(.untrusted)
    case .site, .unwanted: self.init(.unreachable)
    case .redirect: self.init(.redirect)
    case .status(let status): self.init(.status, ["status": "\(status)"])
    case .tooLong: self.init(.tooLong, ["maximum": "\(ScheduledImport.limit >> 20)"])
    case .incomplete: self.init(.incomplete)
    case .noRoom: self.init(.noRoom)
    }
  }

  /// The facts as a JSON text.
  var storedFacts: String {
    let members = facts.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
    return JSONValue.object(JSONObject(members)).text
  }

  /// The sentence for people.
  var message: Message { Message("schedule.problem.\(code.rawValue)", facts) }
}
