import Accounts
import JSON
import Moderation
import Reading
import Service

/// JSON schemas of requests and responses for admins.
enum AdministrationSchemas {
  static var all: [(key: String, value: JSONValue)] {
    [
      ("overview", overview), ("adminAccounts", adminAccounts), ("adminAccount", adminAccount),
      ("adminAccountChange", accountChange), ("adminDeletion", deletion),
      ("adminDeleted", deleted), ("imports", imports), ("importRun", importRun),
      ("importForm", importForm), ("collectionForm", collectionForm),
      ("adminCollection", adminCollection),
      (
        "adminCollections",
        OpenAPISchemas.object(
          ["collections": OpenAPISchemas.array(OpenAPISchemas.reference("adminCollection"))],
          required: ["collections"])
      ),
      ("importUndo", OpenAPISchemas.object(["reason": reason])),
    ]
  }

  private static let text = OpenAPISchemas.text
  private static let some = OpenAPISchemas.anyObject
  private static let flag: JSONValue = ["type": "boolean"]
  private static let count: JSONValue = ["type": "integer", "minimum": 0]
  private static let time: JSONValue = ["type": "string", "format": "date-time", "nullable": true]
  private static let reason: JSONValue = ["type": "string", "minLength": 1, "maxLength": 500]
  private static let nullableText: JSONValue = ["type": "string", "nullable": true]
  private static let nullableObject: JSONValue = ["type": "object", "nullable": true]

  private static func codes(_ codes: [String]) -> JSONValue {
    ["type": "string", "enum": .array(codes.map { .string($0) })]
  }

  private static var overview: JSONValue {
    OpenAPISchemas.object(
      [
        "generated_at": time, "devices": some, "accounts": some, "queue": some, "mail": some,
        "jobs": some, "imports": OpenAPISchemas.array(some), "storage": some,
        "backups": nullableObject,
        "retention": OpenAPISchemas.array(some),
        "errors": OpenAPISchemas.array(
          OpenAPISchemas.object(["at": time, "message": text, "count": count])),
      ])
  }

  private static var adminAccounts: JSONValue {
    OpenAPISchemas.object(
      [
        "accounts": OpenAPISchemas.array(OpenAPISchemas.reference("adminAccount")),
        "next": nullableText,
      ], required: ["accounts", "next"])
  }

  private static var adminAccount: JSONValue {
    OpenAPISchemas.object(
      [
        "id": text, "username": text, "role": codes(Role.allCases.map(\.rawValue)),
        "joined_on": text, "created_at": time, "confirmed": flag, "new": flag,
        "suspended": nullableObject, "flags": some, "contributions": some,
        "decisions": OpenAPISchemas.array(some), "second_factor": flag,
        "operator": nullableObject, "accepted_edits": count,
      ])
  }

  private static var accountChange: JSONValue {
    OpenAPISchemas.object(
      [
        "role": codes(Role.allCases.map(\.rawValue)), "suspended": flag,
        "operator": [
          "nullable": true,
          "oneOf": [
            text, OpenAPISchemas.object(["name": text, "kind": codes(["public", "company"])]),
          ],
        ], "reason": reason, "password": AccountSchemas.proofPassword,
        "code": AccountSchemas.proofCode,
      ], required: ["reason"])
  }

  private static var deletion: JSONValue {
    OpenAPISchemas.object(
      [
        "id": text, "name": text, "confirm": flag, "reason": reason,
        "code": codes(DeletionRoutes.codes), "purge": flag,
      ])
  }

  private static var deleted: JSONValue {
    let device = OpenAPISchemas.object(
      [
        "id": text, "name": text, "category": text, "status": text, "hidden": flag,
        "author": nullableText, "created_at": time, "geometry": some, "photos": count,
        "verdicts": count,
      ], required: ["id"])
    return OpenAPISchemas.object(
      [
        "candidates": OpenAPISchemas.array(device), "deleted": device,
        "action": ["type": "string", "format": "uuid"],
      ])
  }

  private static var imports: JSONValue {
    OpenAPISchemas.object(
      [
        "imports": OpenAPISchemas.array(OpenAPISchemas.reference("importRun")),
        "mappings": OpenAPISchemas.array(
          OpenAPISchemas.object(["name": text, "title": text])), "next": nullableText,
      ], required: ["imports", "mappings", "next"])
  }

  private static var importRun: JSONValue {
    OpenAPISchemas.object(
      [
        "id": count, "file": text, "mapping": text,
        "state": codes(["running", "done", "failed", "undoing", "undone"]),
        "error": nullableText, "started_at": time, "finished_at": time, "undone_at": time,
        "dry_run": flag, "by": nullableText, "source": nullableObject, "rows": count,
        "added": count, "changed": count, "unchanged": count, "matched": count,
        "gone": count, "flagged": count, "skipped": count, "refused": count,
        "reasons": OpenAPISchemas.array(some),
        "gone_devices": OpenAPISchemas.array(
          OpenAPISchemas.object(
            ["id": text, "name": text, "category": text, "status": text],
            required: ["id", "name", "category", "status"])),
        "notes": OpenAPISchemas.array(some), "notes_total": count, "next": nullableText,
      ])
  }

  private static var collectionForm: JSONValue {
    OpenAPISchemas.object(
      [
        "file": ["type": "string", "format": "binary"], "id": text, "title": text,
        "description": text, "licence": text, "attribution": text, "url": text, "layer": text,
        "time": text, "replace": codes(["true", "false"]),
      ], required: ["file", "id", "title", "licence", "attribution"])
  }

  private static var adminCollection: JSONValue {
    OpenAPISchemas.object(
      [
        "id": text, "title": text, "licence": text, "features": count, "file": text,
        "by": nullableText, "created_at": time,
        "properties": OpenAPISchemas.array(
          OpenAPISchemas.object(
            [
              "name": text, "kind": codes(CollectionProperty.Kind.allCases.map(\.rawValue)),
            ], required: ["name", "kind"])),
        "skipped": OpenAPISchemas.array(
          OpenAPISchemas.object(["reason": text, "count": count], required: ["reason", "count"])),
      ], required: ["id", "title", "features", "properties"])
  }

  private static var importForm: JSONValue {
    OpenAPISchemas.object(
      [
        "file": ["type": "string", "format": "binary"], "mapping": text,
        "dry_run": codes(["true", "false"]), "source": text, "licence": text,
      ], required: ["file"])
  }
}
