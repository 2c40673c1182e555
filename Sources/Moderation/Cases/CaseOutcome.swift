/// The outcome of a flag.
enum FlagOutcome: String, Sendable {
  case upheld, dismissed
}

/// The outcome of a review.
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
