import Accounts
import Devices
import JSON
import PrivacyMap
import Service

/// The OpenAPI schemas of organisations, and of answers to requests.
enum OrganisationSchemas {
  static var all: [(key: String, value: JSONValue)] {
    bodies
      + JSONSchema.named([
        "organisationOrNull": Organisation.shape.schema.orNull, "statement": .object,
        "nothing": .object([]),
      ]) + [
        Organisation.shape.component, Organisation.shapeOfPage.component,
        OperatorJSON.shape.component,
        OperatorJSON.page.component, OrganisationCheckRoutes.step.component,
        OrganisationCheckRoutes.checked.component, DeviceOwnershipRoutes.claimed.component,
        DeviceOwnershipAdminRoutes.page.component,
      ]
  }

  private static var bodies: [(key: String, value: JSONValue)] {
    let note = JSONSchema.text(maximum: 500).optional
    return JSONSchema.named([
      "newOrganisation": .object(details(areRequired: true)),
      "organisationChange": .object(details(areRequired: false)),
      "operatorCheck": ["method": .oneOf(["email", "file"]), "address": .text.optional],
      "organisationDecision": [
        "decision": .oneOf(["approve", "refuse", "withdraw"]), "note": note,
        "method": .oneOf(["manual"]).optional, "version": .text, "password": .proofPassword,
        "code": .proofCode,
      ],
      "operatorClaim": ["note": note],
      "operatorClaimDecision": [
        "decision": .oneOf(["approve", "refuse"]), "reason": note, "version": .text,
      ],
      "operatorStatement": .object(
        Statement.fields.sorted().compactMap { name in
          DeviceProperty.named(name).map { (name, $0.schema.orNull.optional) }
        } + [("note", .text(maximum: 2_000).optional)]),
      "requestAnswer": .object(answer), "replyToken": ["token": .text],
      "reply": .object([("token", .text)] + answer),
    ])
  }

  private static func details(areRequired: Bool) -> [(String, JSONSchema)] {
    let text = JSONSchema.text.orNull.optional
    let required: [(String, JSONSchema)] = [
      ("name", .text(maximum: 200)), ("kind", .organisationKind), ("domain", .text),
    ]
    return (areRequired ? required : required.map { ($0, $1.optional) }) + [
      ("website", text), ("contact", text), ("data_protection_contact", text),
      ("privacy_policy", text),
    ]
  }

  private static var answer: [(String, JSONSchema)] {
    [
      ("event", .oneOf(LedgerEvent.allCases.filter { $0.isOpen(to: .operator) }.map(\.rawValue))),
      ("reason", .text.optional), ("note", .text(maximum: 2_000).optional),
    ]
  }
}

extension JSONSchema {
  static let organisationKind = oneOf(["public", "company"])
}
