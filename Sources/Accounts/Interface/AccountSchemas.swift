import JSON
package import Service

/// JSON schemas about accounts, for the OpenAPI document.
enum AccountSchemas {
  static var all: [(key: String, value: JSONValue)] {
    requests + [
      SignUpRoutes.confirmation.component, AccountJSON.shape.component, SessionJSON.shape.component,
      SecondFactorRoutes.enrolment.component, SecondFactorRoutes.recoveryCodes.component,
      BrowserRoutes.shapeOfList.component, BrowserRoutes.shape.component,
      PersonalTokenRoutes.shapeOfList.component, PersonalTokenRoutes.shape.component,
      PersonalTokenRoutes.shapeOfMade.component,
    ]
  }

  private static var requests: [(key: String, value: JSONValue)] {
    let flag = JSONSchema.flag
    let login = JSONSchema.text(maximum: 254)
    let days = JSONSchema.integer(1...366).with("default", 90)
    return JSONSchema.named([
      "newAccount": [
        "username": .username, "email": .address, "password": .newPassword,
        "locale": .text.optional, "accept_terms": flag.with("enum", [true]),
      ],
      "mailToken": ["token": .text], "emailOnly": ["email": .address],
      "loginOnly": ["login": login.with("description", "A username or an e-mail address.")],
      "newPassword": ["token": .text, "password": .newPassword],
      "accountChange": [
        "username": .username.optional, "email": .address.optional,
        "password": .newPassword.optional, "locale": .text.optional,
        "data_requests": flag.optional, "current_password": .password.optional,
      ],
      "proof": ["password": .password, "code": .text.optional], "codeOnly": ["code": .text],
      "newToken": [
        "name": .text(1...60), "scopes": PersonalTokenRoutes.scopes,
        "expires_in_days": days.optional.with(
          "description", "For scope `moderate` or `admin`, the default and the maximum are 30."),
        "password": .password.optional.with(
          "description",
          "The account's password; required for scope `moderate` or `admin`."),
        "code": .text.optional.with(
          "description",
          "A second-factor code or a recovery code; required for scope `moderate` or `admin`."),
      ],
      "signIn": ["login": login, "password": .password, "code": .text.optional],
    ])
  }

  /// One list for each ``ExportSection``.
  static func export(_ sections: [ExportSection]) -> JSONValue {
    let head = [("exported_at", JSONSchema.time), ("account", AccountJSON.shape.schema)]
    return JSONSchema.object(head + sections.map { ($0.name, .list(of: .object)) }).value
  }
}

extension JSONSchema {
  static let username = text(3...40)
  static let address = email.with("maxLength", 254)
  static let newPassword = password.with("minLength", 8).with("maxLength", 1_024)

  /// The password of the admin who changes a role.
  package static let proofPassword = password.optional.with(
    "description", "The admin's password; required to change a role or an organisation.")
  package static let proofCode = text.optional.with(
    "description",
    "A code of the admin's second factor or a recovery code; required to change a role or an organisation."
  )
}
