import Accounts
import JSON
import Moderation
import Reading
import Service

/// JSON schemas of requests and responses for admins.
enum AdministrationSchemas {
  static var all: [(key: String, value: JSONValue)] {
    let reason = JSONSchema.text(1...500)
    let text = JSONSchema.text.optional
    let flag = JSONSchema.flag.optional
    let flagInForm = JSONSchema.oneOf(["true", "false"]).optional
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
      "importForm": [
        "file": .file, "mapping": text, "mapping_file": text, "dry_run": flagInForm,
        "source": text, "licence": text,
      ],
      "inspectionForm": ["file": .file, "input": text],
      "collectionForm": [
        "file": .file, "id": .text, "title": .text, "description": text, "licence": .text,
        "attribution": .text, "url": text, "layer": text, "time": text, "replace": flagInForm,
      ],
      "importUndo": ["reason": reason.optional],
      "importMapping": .object,
    ]) + AdminAccountRoutes.schemas + [
      OverviewJSON.shape.component, DeletionAdminRoutes.schema, ImportReport.shape.component,
      ImportList.shape.component, ImportedDevices.shape.component, ImportMap.shape.component,
      Inspected.shape.component,
      CollectionAdminRoutes.shape.component,
      CollectionAdminRoutes.shapeOfList.component,
    ]
  }
}
