/// How a flag ended.
enum FlagOutcome: String, Sendable {
  case upheld, dismissed
}

/// How a review ended.
enum ReviewOutcome: String, Sendable {
  case accepted, refused
}

/// A flag closed by an action, with the columns needed to notify its author.
struct ClosedFlag: Sendable {
  let rowid: Int64
  let account: Int64?
  let email: String?
  let locale: String
  let deviceID: String?
}
