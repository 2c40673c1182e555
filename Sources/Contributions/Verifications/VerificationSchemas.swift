import PrivacyMap
import Service

/// The OpenAPI schemas of verifications.
enum VerificationSchemas {
  static var all: [JSONSchema.Named] { JSONSchema.named(["claims": claims, "verdict": verdict]) }

  private static let claims: JSONSchema = [
    "claims": .list(of: claim), "status": .text.optional,
    "last_confirmed": .time.orNull.optional, "stale_on": .day.optional,
  ]

  private static let claim: JSONSchema = [
    "claim": .oneOf(Claim.self), "verdict": .oneOf(ClaimState.Outcome.self),
    "basis": .list(of: .oneOf(ClaimBasis.self)), "confirmations": .count, "disputes": .count,
    "last_at": .day.orNull, "stale_on": .day, "mine": .text.orNull.optional,
  ]

  private static let verdict: JSONSchema = [
    "claim": .oneOf(Claim.self), "verdict": .oneOf(["confirm", "dispute"]),
    "basis": .oneOf(ClaimBasis.self), "note": .text(maximum: 500).optional,
  ]
}
