import Service
import WebServer

/// The outcome of a sign-in attempt.
enum SignInOutcome: String, CaseIterable, Sendable {
  case succeeded
  /// Username or password was wrong.
  case refused
  /// The password was right, and a one-time code is required.
  case codeNeeded = "code_needed"
  case codeRefused = "code_refused"
  /// Too many attempts.
  case throttled

  /// Nil for errors that do not decide the attempt, such as a malformed request.
  init?(_ error: any Error) {
    guard let refusal = error as? Refusal else { return nil }
    switch refusal.message.key {
    case SessionRoutes.refused.message.key: self = .refused
    case SessionRoutes.codeNeeded.message.key: self = .codeNeeded
    case SessionRoutes.codeWrong.message.key: self = .codeRefused
    default:
      guard refusal.status == .tooManyRequests else { return nil }
      self = .throttled
    }
  }
}
