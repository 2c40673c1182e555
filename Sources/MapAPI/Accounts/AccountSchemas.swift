import JSON

/// The shapes of what people send and get about accounts, for the OpenAPI document.
enum AccountSchemas {
  private typealias Schema = OpenAPISchemas

  static var all: [(key: String, value: JSONValue)] { requests + answers }

  private static var requests: [(key: String, value: JSONValue)] {
    [
      (
        "newAccount",
        Schema.object(
          [
            "username": username, "email": email, "password": newPassword, "locale": Schema.text,
            "accept_terms": ["type": "boolean", "enum": [true]],
          ], required: ["username", "email", "password", "accept_terms"])
      ),
      ("mailToken", Schema.object(["token": Schema.text], required: ["token"])),
      ("emailOnly", Schema.object(["email": email], required: ["email"])),
      ("loginOnly", Schema.object(["login": login], required: ["login"])),
      (
        "newPassword",
        Schema.object(
          ["token": Schema.text, "password": newPassword], required: ["token", "password"])
      ),
      (
        "signIn",
        Schema.object(
          ["login": login, "password": secret, "code": Schema.text],
          required: ["login", "password"]
        )
      ),
    ]
  }

  private static var answers: [(key: String, value: JSONValue)] {
    [
      (
        "confirmation",
        Schema.object(
          [
            "confirmed": ["type": "string", "enum": ["account", "email"]],
            "username": Schema.text,
          ], required: ["confirmed", "username"])
      ),
      ("account", account),
      (
        "session",
        Schema.object(
          ["csrf_token": Schema.text, "expires_at": time, "account": Schema.reference("account")],
          required: ["csrf_token", "expires_at", "account"])
      ),
    ]
  }

  private static var account: JSONValue {
    Schema.object(
      [
        "id": identity, "username": username, "email": email, "locale": Schema.text, "role": role,
        "confirmed": flag,
        "suspended": [
          "type": "object", "nullable": true,
          "properties": [
            "until": ["type": "string", "format": "date-time", "nullable": true],
            "reason": Schema.text,
          ],
        ],
        "second_factor": Schema.object(
          ["enabled": flag, "required": flag, "recovery_codes_left": count],
          required: ["enabled", "required", "recovery_codes_left"]),
        "new": flag, "created_at": time,
        "pending_email": ["type": "string", "format": "email", "nullable": true],
      ],
      required: [
        "id", "username", "email", "locale", "role", "confirmed", "suspended", "second_factor",
        "new", "created_at", "pending_email",
      ])
  }

  static let flag: JSONValue = ["type": "boolean"]
  static let count: JSONValue = ["type": "integer", "minimum": 0]
  static let time: JSONValue = ["type": "string", "format": "date-time"]
  static let day: JSONValue = ["type": "string", "format": "date"]
  static let identity: JSONValue = ["type": "string", "format": "uuid"]
  static let secret: JSONValue = ["type": "string", "format": "password"]
  static let username: JSONValue = ["type": "string", "minLength": 3, "maxLength": 40]
  static let email: JSONValue = ["type": "string", "format": "email", "maxLength": 254]
  static let login: JSONValue = ["type": "string", "maxLength": 254]
  static let newPassword: JSONValue = [
    "type": "string", "format": "password", "minLength": 8, "maxLength": 1_024,
  ]
  static var role: JSONValue {
    ["type": "string", "enum": .array(Role.allCases.map { .string($0.rawValue) })]
  }
}
