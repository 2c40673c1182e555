import Secrets
import Service

extension PasswordFault {
  /// The error message.
  var message: Message {
    switch self {
    case .tooShort: Message("error.too_short", ["minimum": "\(PasswordRules.minLength)"])
    case .tooLong: Message("error.too_long", ["maximum": "\(PasswordRules.maxLength)"])
    case .tooCommon: Message("error.password.too_common")
    case .isOwnName: Message("error.password.own_name")
    }
  }
}

/// Hashes and compares passwords; each operation takes about 25 ms on one core.
struct PasswordHashing: Sendable {
  var hash: @Sendable (_ password: String) throws -> String = { try PasswordHash.hash($0) }
  var verify: @Sendable (_ password: String, _ hash: String) -> Bool = {
    PasswordHash.verify($0, against: $1)
  }
}
