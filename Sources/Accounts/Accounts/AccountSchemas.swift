package import JSON
import Service

/// JSON schemas of requests and responses about accounts, for the OpenAPI document.
package enum AccountSchemas {
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
      (
        "loginOnly",
        Schema.object(
          [
            "login": [
              "type": "string", "maxLength": 254, "description": "A username or an e-mail address.",
            ]
          ], required: ["login"])
      ),
      (
        "newPassword",
        Schema.object(
          ["token": Schema.text, "password": newPassword], required: ["token", "password"])
      ),
      (
        "accountChange",
        Schema.object([
          "username": username, "email": email, "password": newPassword, "locale": Schema.text,
          "data_requests": flag, "current_password": secret,
        ])
      ),
      ("proof", Schema.object(["password": secret, "code": Schema.text], required: ["password"])),
      ("codeOnly", Schema.object(["code": Schema.text], required: ["code"])),
      (
        "newToken",
        Schema.object(
          [
            "name": ["type": "string", "minLength": 1, "maxLength": 60], "scopes": scopes,
            "expires_in_days": [
              "type": "integer", "minimum": 1, "maximum": 366, "default": 90,
              "description": "For scope `moderate` or `admin`, the default and the maximum are 30.",
            ], "password": forPower, "code": codeForPower,
          ], required: ["name", "scopes"])
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
      (
        "enrolment",
        Schema.object(
          [
            "secret": Schema.text, "uri": ["type": "string", "format": "uri"],
            "qr": Schema.array(["type": "string", "pattern": "^[01]+$"]),
          ], required: ["secret", "uri", "qr"])
      ),
      (
        "recoveryCodes",
        Schema.object(
          ["recovery_codes": Schema.array(Schema.text)], required: ["recovery_codes"])
      ),
      (
        "sessions",
        Schema.object(
          ["sessions": Schema.array(Schema.reference("browser"))], required: ["sessions"])
      ),
      ("browser", browser),
      (
        "tokens",
        Schema.object(
          ["tokens": Schema.array(Schema.reference("token")), "available_scopes": scopes],
          required: ["tokens", "available_scopes"])
      ),
      ("token", token(withSecret: false)), ("madeToken", token(withSecret: true)),
      ("person", person),
    ]
  }

  private static var browser: JSONValue {
    Schema.object(
      [
        "id": identity, "created_at": time, "last_seen_on": day,
        "agent": ["type": "string", "nullable": true], "current": flag,
      ], required: ["id", "created_at", "last_seen_on", "agent", "current"])
  }

  private static func token(withSecret: Bool) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("id", identity), ("name", Schema.text), ("scopes", scopes), ("created_at", time),
      ("expires_at", time),
      ("last_used_on", ["type": "string", "format": "date", "nullable": true]),
    ]
    if withSecret { members.append(("token", Schema.text)) }
    return Schema.object(.object(JSONObject(members)), required: members.map(\.key))
  }

  private static var person: JSONValue {
    Schema.object(
      [
        "username": username, "role": role, "joined_on": day,
        "contributions": Schema.object(
          ["devices": count, "edits": count, "claims": count, "photos": count],
          required: ["devices", "edits", "claims", "photos"]),
        "flags": Schema.object(
          ["upheld": count], required: ["upheld"]),
        "recent": Schema.array(
          Schema.object([
            "device": Schema.object(
              ["id": identity, "name": Schema.text, "category": Schema.text]),
            "revision": count, "kind": Schema.text, "made_at": time,
          ])),
      ], required: ["username", "role", "joined_on", "contributions", "flags", "recent"])
  }

  /// One list for each ``ExportSection``.
  static func export(_ sections: [ExportSection]) -> JSONValue {
    let lists = sections.map { section in
      (key: section.name, value: Schema.array(Schema.anyObject))
    }
    let head: [(key: String, value: JSONValue)] = [
      ("exported_at", time), ("account", Schema.reference("account")),
    ]
    return Schema.object(.object(JSONObject(head + lists)), required: (head + lists).map(\.key))
  }

  private static var scopes: JSONValue {
    Schema.array([
      "type": "string", "enum": .array(Scope.allCases.map { .string($0.rawValue) }),
    ])
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
        "data_requests": flag,
        "csrf_token": [
          "type": "string", "description": "The CSRF token of the session after a password change.",
        ],
      ],
      required: [
        "id", "username", "email", "locale", "role", "confirmed", "suspended", "second_factor",
        "new", "created_at", "pending_email", "data_requests",
      ])
  }

  private static let forPower: JSONValue = [
    "type": "string", "format": "password",
    "description": "The account's password; required for scope `moderate` or `admin`.",
  ]
  private static let codeForPower: JSONValue = [
    "type": "string",
    "description":
      "A second-factor code or a recovery code; required for scope `moderate` or `admin`.",
  ]
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

  /// The password of the admin who changes a role.
  package static let proofPassword: JSONValue = [
    "type": "string", "format": "password",
    "description": "The admin's password; required to change a role or an organisation.",
  ]
  package static let proofCode: JSONValue = [
    "type": "string",
    "description":
      "A code of the admin's second factor or a recovery code; required to change a role or an organisation.",
  ]
}
