import Accounts
import JSON
import Moderation
import Service

/// JSON schemas of requests and responses for admins.
enum AdministrationSchemas {
  static var all: [(key: String, value: JSONValue)] {
    let reason = JSONSchema.text(1...500)
    let text = JSONSchema.text.optional
    let flag = JSONSchema.flag.optional
    let organisation: JSONSchema = [
      "name": .text, "kind": .oneOf(["public", "company"]).optional,
    ]
    let operates = JSONSchema(["nullable": true])
      .with("oneOf", [JSONSchema.text.value, organisation.value])
    return JSONSchema.named([
      "adminAccountChange": [
        "role": .oneOf(Role.self).optional, "suspended": flag, "operator": operates.optional,
        "reason": reason, "password": .proofPassword, "code": .proofCode,
      ],
      "adminDeletion": [
        "id": text, "name": text, "confirm": flag, "reason": reason.optional,
        "message": reason.optional, "code": .oneOf(DeletionRoutes.codes).optional, "purge": flag,
      ],
    ]) + AdminAccountRoutes.schemas + [OverviewJSON.shape.component, DeletionAdminRoutes.schema]
  }
}
