import JSON
import Service
import SpatialDatabase

/// A request for researcher access, and the decision on it.
struct ResearchAccess: Petition, Sendable {
  enum State: String, CaseIterable, Sendable {
    case waiting, granted, refused, revoked
    /// Granted, but expired.
    case ended
  }

  let rowid: Int64
  let id: String
  let account: Int64
  let project: String
  let purpose: String
  let wantedUntil: String
  let state: State
  let until: String?
  let reason: String?
  let askedAt: String
  let decidedAt: String?

  /// The maximum number of days that can be requested and granted.
  static let days: Int32 = 731

  /// The state on day `?1`, the first argument of every statement that uses it.
  static let stateNow = """
    CASE WHEN research_access.state = 'granted' AND research_access.until < ?1 THEN 'ended'
      ELSE research_access.state END
    """

  static let columns = """
    research_access.rowid, research_access.id, research_access.account_rowid,
    research_access.project, research_access.purpose, research_access.wanted_until, \(stateNow),
    research_access.until, research_access.reason, research_access.asked_at,
    research_access.decided_at
    """
  /// The number of ``columns``.
  static let width = 11

  init(_ row: borrowing Row) {
    rowid = row.int(0)
    id = row.text(1)
    account = row.int(2)
    project = row.text(3)
    purpose = row.text(4)
    wantedUntil = row.text(5)
    state = State(rawValue: row.text(6)) ?? .ended
    until = row.optionalText(7)
    reason = row.optionalText(8)
    askedAt = row.text(9)
    decidedAt = row.optionalText(10)
  }

  var isWaiting: Bool { state == .waiting }

  var members: JSONObject { Self.shape.object(self) }

  static let shape = JSONShape<ResearchAccess>(
    "researchAccess", .uuid("id", \.id), .text("project", \.project), .text("purpose", \.purpose),
    .day("wanted_until", \.wantedUntil), .oneOf("state", \.state), .day("until", \.until),
    .text("reason", \.reason), .time("asked_at", \.askedAt), .time("decided_at", \.decidedAt),
    .added("account", .petitioner))

  /// The requests of a person, and the last day of a grant.
  static let shapeOfList = JSONShape<[ResearchAccess]>(
    "researchAccesses", .list("requests", of: shape, \.self),
    .day("until") { $0.filter { $0.state == .granted }.compactMap(\.until).max() })

  static let shapeOfPage = JSONShape<ListPage>(
    "researchRequests", of: shape.schema, in: "requests", hasCounts: true)
}
