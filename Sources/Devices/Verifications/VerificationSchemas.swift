import JSON
import PrivacyMap
import Service

/// JSON schemas of verifications, for the OpenAPI document.
enum VerificationSchemas {
  private typealias Schema = OpenAPISchemas

  static var all: [(key: String, value: JSONValue)] { [("claims", claims), ("verdict", verdict)] }

  private static var claims: JSONValue {
    let claim = Schema.object(
      [
        "claim": Schema.oneOf(Claim.allCases.map(\.rawValue)),
        "verdict": Schema.oneOf(ClaimState.Outcome.allCases.map(\.rawValue)),
        "basis": Schema.array(Schema.oneOf(ClaimBasis.allCases.map(\.rawValue))),
        "confirmations": Schema.number(nullable: false), "disputes": Schema.number(nullable: false),
        "last_at": ["type": "string", "format": "date", "nullable": true],
        "stale_on": ["type": "string", "format": "date"],
        "mine": ["type": "string", "nullable": true],
      ])
    return Schema.object(
      [
        "claims": Schema.array(claim), "status": Schema.text,
        "last_confirmed": ["type": "string", "format": "date-time", "nullable": true],
        "stale_on": ["type": "string", "format": "date"],
      ], required: ["claims"])
  }

  private static var verdict: JSONValue {
    Schema.object(
      [
        "claim": Schema.oneOf(Claim.allCases.map(\.rawValue)),
        "verdict": Schema.oneOf(["confirm", "dispute"]),
        "basis": Schema.oneOf(ClaimBasis.allCases.map(\.rawValue)),
        "note": ["type": "string", "maxLength": 500],
      ], required: ["claim", "verdict", "basis"])
  }
}
