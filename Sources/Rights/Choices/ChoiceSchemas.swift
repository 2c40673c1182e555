import JSON
import PrivacyMap
import Service

/// JSON schemas of requests and responses about choices, for the OpenAPI document.
enum ChoiceSchemas {
  static let page = JSONShape<ListPage>(
    "choices", of: ChoiceJSON.shape.schema, in: "choices", hasCounts: true, hasDue: true)

  static var all: [(key: String, value: JSONValue)] {
    requests + [
      ChoiceJSON.shape.component, page.component, ChoiceImport.schema, LetterJSON.shape.component,
      ("choiceRecord", JSONSchema.object.value), DeviceChoices.shape.component,
      GlobalPrivacyControl.shape.component, RequestJSON.page.component,
      RequestJSON.whole.component,
    ]
  }

  private static var requests: [(key: String, value: JSONValue)] {
    let note = JSONSchema.text(maximum: 2_000).optional
    let flag = JSONSchema.flag.optional
    return JSONSchema.named([
      "newChoice": [
        "device": .uuid, "kind": .text, "country": .country.optional,
        "region": .text(2...6).optional, "language": .text.optional,
        "details": .textsByName.optional, "note": note, "reminders": flag.with("default", true),
      ],
      "choiceChange": [
        "details": .textsByName.optional, "language": .text.optional, "note": note,
        "reminders": flag, "reply_link": flag,
      ],
      "choiceEvent": [
        "event": .oneOf(LedgerEvent.self), "at": .text.optional, "note": note,
        "reason": .text(maximum: 500).optional,
        "channel": .oneOf(RequestChannel.ofRequests.map(\.rawValue)).optional,
        "received_on": .day.optional,
      ],
      "choiceImport": [
        "choices": .list(of: .object).with("maxItems", 200),
        // Other members of a page of choices; ignored.
        "next": .text.orNull.optional, "due": .list(of: .uuid).optional,
        "counts": .object.optional,
      ],
    ])
  }
}
