import JSON
package import PrivacyMap
package import Service
package import SpatialDatabase

/// A person as shown to moderators and admins: contributions and decisions, but no address.
package struct PersonJSON {
  private let person: PersonStore.Person
  private let flags: FlagStore.Counts
  private let contributions: [(String, Int64)]
  private let decisions: [PersonStore.Decision]
  private let now: Timestamp
  private let isForAdmins: Bool

  /// Nil if there is no such account. Only admins see the role `operator`: moderators do not learn which account
  /// represents an organisation.
  package init?(
    _ account: Int64, isForAdmins: Bool, now: Timestamp, _ connection: borrowing Connection
  ) throws {
    let store = PersonStore()
    guard let person = try store.person(account, connection) else { return nil }
    self.person = person
    self.now = now
    self.isForAdmins = isForAdmins
    flags = try FlagStore.counts(about: account, connection)
    contributions = try store.contributions(of: account, connection)
    decisions = try store.decisions(about: person.id, connection)
  }

  package static let shape = JSONShape<PersonJSON>(
    nil, .uuid("id", \.person.id), .text("username", \.person.username),
    .oneOf("role", \.shownRole),
    .day("joined_on", \.joined.day), .flag("confirmed", \.person.isConfirmed),
    .flag("new", \.isNew),
    .group(
      "suspended", if: \.isSuspended, .time("until", \.until),
      .text("reason", \.person.suspendedReason)),
    .group(
      "flags", .count("received", \.flags.received), .count("open", \.flags.open),
      .count("upheld", \.flags.upheld), .count("dismissed", \.flags.dismissed),
      .count("anonymous", \.flags.anonymous)),
    .init("contributions", .countsByName) { JSONObject($0.contributions.map { ($0, $1.json) }) },
    .list("decisions", of: decision, \.decisions))

  private static let decision = JSONShape<PersonStore.Decision>(
    nil, .uuid("id", \.id), .text("action", \.action), .text("reason", \.reason),
    .time("at", \.madeAt), .time("undone_at", \.undoneAt))

  private var role: Role { Role(rawValue: person.role) ?? .contributor }
  private var shownRole: Role {
    isForAdmins ? role : Role(rawValue: role.shown.rawValue) ?? .contributor
  }
  private var joined: Timestamp { Timestamp(text: person.createdAt) ?? now }
  private var until: Timestamp? { person.suspendedUntil.flatMap { Timestamp(text: $0) } }
  private var isSuspended: Bool { person.isSuspended && (until.map { $0 > now } ?? true) }
  private var isNew: Bool {
    let isYoung = now.secondsSinceEpoch - joined.secondsSinceEpoch < Principal.probation
    return role < .moderator && (isYoung || person.acceptedEdits < Principal.acceptedEdits)
  }
}
