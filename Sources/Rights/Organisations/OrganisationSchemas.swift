import Accounts
import Devices
import JSON
import PrivacyMap
import Service

/// The OpenAPI schemas of organisations, and of requests to them and their answers.
enum OrganisationSchemas {
  private typealias Schema = OpenAPISchemas

  static var all: [(key: String, value: JSONValue)] { organisations + claims + requests }

  private static let said: [(key: String, value: JSONValue)] = [
    ("name", ["type": "string", "maxLength": 200]), ("kind", words(["public", "company"])),
    ("domain", Schema.text), ("website", textOrNull), ("contact", textOrNull),
    ("data_protection_contact", textOrNull), ("privacy_policy", textOrNull),
  ]

  private static var organisation: JSONValue {
    let more: [(key: String, value: JSONValue)] = [
      ("id", uuid), ("state", words(Organisation.State.allCases.map(\.rawValue))),
      ("check", objectOrNull), ("created_at", time), ("decided_at", textOrNull),
      ("reason", textOrNull), ("account", Schema.anyObject), ("letters_to", textOrNull),
      ("unproven_contacts", Schema.array(Schema.text)), ("version", Schema.text),
    ]
    return Schema.object(
      .object(JSONObject(said + more)), required: ["id", "name", "kind", "domain", "state"])
  }

  private static var organisations: [(key: String, value: JSONValue)] {
    [
      (
        "newOrganisation",
        Schema.object(.object(JSONObject(said)), required: ["name", "kind", "domain"])
      ),
      ("organisationChange", Schema.object(.object(JSONObject(said)))),
      ("organisation", organisation),
      (
        "organisationOrNull",
        [
          // In OpenAPI 3.0, `nullable` takes effect only next to a `type` in the same schema.
          "oneOf": [
            Schema.reference("organisation"),
            ["type": "object", "nullable": true, "enum": [.null]],
          ]
        ]
      ),
      (
        "organisations",
        page("operators", of: Schema.reference("organisation"), [("counts", Schema.anyObject)])
      ),
      (
        "operator",
        Schema.object(
          [
            "id": uuid, "name": Schema.text, "kind": words(["public", "company"]),
            "website": textOrNull, "privacy_policy": textOrNull,
            "data_protection_contact": textOrNull, "approved_on": textOrNull,
            "checked_by": textOrNull, "devices": ["type": "integer"], "outcomes": objectOrNull,
          ], required: ["id", "name", "kind"])
      ),
      ("operators", page("operators", of: Schema.reference("operator"))),
      (
        "operatorCheck",
        Schema.object(
          ["method": words(["email", "file"]), "address": Schema.text], required: ["method"])
      ),
      (
        "operatorCheckStep",
        Schema.object([
          "method": Schema.text, "url": Schema.text, "content": Schema.text,
          "sent_to": Schema.text,
        ])
      ),
      (
        "operatorChecked",
        Schema.object(
          [
            "name": Schema.text, "domain": Schema.text,
            "confirmed": words(["domain", "contact"]),
          ], required: ["name", "domain", "confirmed"])
      ),
      (
        "organisationDecision",
        Schema.object(
          [
            "decision": words(["approve", "refuse", "withdraw"]), "note": note(500),
            "method": words(["manual"]), "version": Schema.text,
            "password": AccountSchemas.proofPassword,
            "code": AccountSchemas.proofCode,
          ], required: ["decision", "version"])
      ),
    ]
  }

  private static var claims: [(key: String, value: JSONValue)] {
    [
      ("operatorClaim", Schema.object(["note": note(500)])),
      (
        "claimed", Schema.object(["state": words(["standing", "waiting"])], required: ["state"])
      ),
      ("operatorClaims", page("claims", of: Schema.anyObject)),
      (
        "operatorClaimDecision",
        Schema.object(
          [
            "decision": words(["approve", "refuse"]), "reason": note(500),
            "version": Schema.text,
          ], required: ["decision", "reason", "version"])
      ),
      (
        "operatorStatement",
        Schema.object(
          .object(
            JSONObject(
              Statement.fields.sorted().compactMap { name in
                DeviceProperty.named(name).map { (name, $0.schema(nullable: true)) }
              } + [("note", note(2_000))])))
      ), ("statement", Schema.anyObject),
    ]
  }

  private static var requests: [(key: String, value: JSONValue)] {
    let request: [(key: String, value: JSONValue)] = [
      ("id", uuid), ("device", Schema.anyObject), ("kind", Schema.text), ("right", textOrNull),
      ("state", words(LedgerState.allCases.map(\.rawValue))), ("overdue", ["type": "boolean"]),
      ("received_on", textOrNull), ("due_on", textOrNull), ("extended_until", textOrNull),
      ("subject", Schema.text),
    ]
    let letter: [(key: String, value: JSONValue)] = [
      ("body", Schema.text), ("events", Schema.array(Schema.anyObject)),
      ("reasons", Schema.array(Schema.text)), ("reasons_of", Schema.anyObject),
      ("next", Schema.array(Schema.text)), ("operator_name", textOrNull),
    ]
    return [
      ("nothing", Schema.object([:])),
      (
        "requests",
        page(
          "requests", of: Schema.object(.object(JSONObject(request))),
          [("counts", Schema.anyObject), ("due", Schema.array(uuid))])
      ),
      ("request", Schema.object(.object(JSONObject(request + letter)))),
      ("requestAnswer", Schema.object(answer, required: ["event"])),
      ("replyToken", Schema.object(["token": Schema.text], required: ["token"])),
      (
        "reply",
        Schema.object(
          .object(JSONObject([("token", Schema.text)] + (answer.objectValue?.members ?? []))),
          required: ["token", "event"])
      ),
    ]
  }

  private static let answer: JSONValue = [
    "event": words(
      LedgerEvent.allCases.filter { $0.isOpen(to: .operator) }.map(\.rawValue)),
    "reason": Schema.text,
    "note": note(2_000),
  ]

  private static let uuid: JSONValue = ["type": "string", "format": "uuid"]
  private static let time: JSONValue = ["type": "string", "format": "date-time"]
  private static let textOrNull: JSONValue = ["type": "string", "nullable": true]
  private static let objectOrNull: JSONValue = ["type": "object", "nullable": true]

  private static func note(_ most: Int64) -> JSONValue {
    ["type": "string", "maxLength": .integer(most)]
  }

  private static func words(_ words: [String]) -> JSONValue {
    ["type": "string", "enum": .array(words.map { .string($0) })]
  }

  private static func page(
    _ name: String, of item: JSONValue, _ more: [(key: String, value: JSONValue)] = []
  ) -> JSONValue {
    Schema.object(
      .object(JSONObject([(name, Schema.array(item))] + more + [("next", textOrNull)])),
      required: [name, "next"])
  }
}
