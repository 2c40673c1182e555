import PrivacyMap
import SpatialDatabase

/// Figures about visits. Counts of requests are public, because the requests themselves are. Counts of people are
/// published once a week, in steps of five, and only if there are ten or more and ten or more have come or gone.
struct VisitFigures: Sendable {
  let environment: Environment

  struct Figures: Sendable {
    var byReason: [VisitReason: Int64] = [:]
    var byState: [VisitState: Int64] = [:]
    var byOutcome: [VisitOutcome: Int64] = [:]
    var medianSeconds: Double?
    var slowestTenthSeconds: Double?
    var volunteers: Int64 = 0
    var askers: Int64 = 0
  }

  /// The latest visits from which the times are computed.
  private static let maxTimes = 10_000
  /// The minimum number of visits behind a time, so that it reveals nothing about one visit.
  private static let minTimes = Suppression.minimum

  func read(_ connection: borrowing Connection) throws -> Figures {
    var figures = Figures()
    try connection.forEach(
      "SELECT reason, state, outcome, count(*) FROM visit_request GROUP BY reason, state, outcome"
    ) { row in
      let count = row.int(3)
      if let reason = VisitReason(rawValue: row.text(0)) {
        figures.byReason[reason, default: 0] += count
      }
      // Whether volunteers are on their way is not public.
      if let state = VisitState(rawValue: row.text(1)) {
        let shown = state == .offered || state.isHeld ? .waiting : state
        figures.byState[shown, default: 0] += count
      }
      if let outcome = row.optionalText(2).flatMap(VisitOutcome.init) {
        figures.byOutcome[outcome, default: 0] += count
      }
    }
    let times = try connection.rows(
      """
      SELECT asked_at, closed_at FROM visit_request WHERE state = 'done'
      ORDER BY rowid DESC LIMIT ?
      """, [SQLValue(Self.maxTimes)]
    ) { row -> Double? in
      guard let asked = Timestamp(text: row.text(0)), let closed = Timestamp(text: row.text(1))
      else { return nil }
      return Double(max(0, closed.secondsSinceEpoch - asked.secondsSinceEpoch))
    }.compactMap { $0 }.sorted()
    if times.count >= Self.minTimes {
      figures.medianSeconds = times[times.count / 2]
      figures.slowestTenthSeconds = times[times.count * 9 / 10]
    }
    let people = try connection.first(
      "SELECT volunteers, askers FROM visit_figure WHERE rowid = 1"
    ) { (Self.shown($0.int(0)), Self.shown($0.int(1))) }
    (figures.volunteers, figures.askers) = people ?? (0, 0)
    return figures
  }

  /// Publishes the counts of people, if a week has passed.
  func publish(_ connection: borrowing Connection) throws {
    let today = environment.now().day
    let last = try connection.first(
      "SELECT day, volunteers, askers FROM visit_figure WHERE rowid = 1"
    ) { (Day(text: $0.text(0)), Int($0.int(1)), Int($0.int(2))) }
    if let day = last?.0, day <= today, today.daysSinceEpoch - day.daysSinceEpoch < 7 { return }
    let volunteers = try connection.integer("SELECT count(*) FROM visit_volunteer") ?? 0
    let askers =
      try connection.integer("SELECT count(DISTINCT asker_rowid) FROM visit_request") ?? 0
    try connection.execute(
      "UPDATE visit_figure SET day = ?, volunteers = ?, askers = ? WHERE rowid = 1",
      [
        .text(today.text), SQLValue(Self.next(Int(volunteers), after: last?.1 ?? 0)),
        SQLValue(Self.next(Int(askers), after: last?.2 ?? 0)),
      ])
  }

  /// The people of the next publication: the former ones while fewer than ten have come or gone, also if fewer than ten
  /// are left. Otherwise the last of them would end the figure, which reveals that one person has left.
  static func next(_ count: Int, after published: Int) -> Int {
    PublishedCount(people: published).renewed(by: count).people
  }

  /// The number that is shown: 0 for few and none.
  static func shown(_ people: Int64) -> Int64 {
    people < Suppression.minimum ? 0 : Int64(Suppression.rounded(Int(clamping: people)))
  }
}
