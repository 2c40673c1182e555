import Secrets

extension PasswordFault {
  /// What is wrong, in a sentence.
  var message: Message {
    switch self {
    case .tooShort: Message("error.too_short", ["minimum": "\(PasswordRules.shortest)"])
    case .tooLong: Message("error.too_long", ["maximum": "\(PasswordRules.longest)"])
    case .tooCommon: Message("error.password.too_common")
    case .isOwnName: Message("error.password.own_name")
    }
  }
}

/// What hashes passwords and compares them, each in some 25 ms of a core.
struct PasswordHashing: Sendable {
  var hash: @Sendable (_ password: String) throws -> String = { try PasswordHash.hash($0) }
  var verify: @Sendable (_ password: String, _ hash: String) -> Bool = {
    PasswordHash.verify($0, against: $1)
  }
}
