import JSON
import PrivacyMap

/// The JSON of a choice for its owner.
struct ChoiceJSON {
  let choice: StoredChoice
  /// The public data of the device now; nil if it is not on the map.
  let live: ChosenDevice?
  let today: Day
  /// The organisation to which Farol sent the choice, or could send it.
  let destination: Organisation?

  /// The device of the choice: the present data until the request is sent, then the stored data.
  private var device: ChosenDevice {
    choice.ledger.state == .wanted ? live ?? choice.device : choice.device
  }

  var value: JSONValue {
    let ledger = choice.ledger
    return [
      "id": .string(choice.id),
      "device": [
        "id": .string(device.id), "name": .string(device.name),
        "category": .string(device.category), "country": Self.text(live?.country),
        "status": Self.text(live?.status),
      ],
      "kind": .string(choice.kind), "right": Self.text(choice.right),
      "letter": Self.text(choice.letter), "regime": Self.text(choice.regime),
      "country": Self.text(choice.country), "language": .string(choice.language),
      "channel": Self.text(ledger.entries.first { $0.channel != nil }?.channel?.rawValue),
      "state": .string(ledger.state.rawValue), "overdue": .bool(ledger.isOverdue(on: today)),
      "received_on": Self.text(ledger.receivedOn?.text), "due_on": Self.text(ledger.dueOn?.text),
      "extended_until": Self.text(ledger.extendedUntil?.text),
      "deadline": [
        "first": .string(ledger.terms.first.text),
        "extension": Self.text(ledger.terms.longer?.text), "basis": .string(choice.basis),
      ],
      "operator": answersFor, "details": ChoiceStore.json(choice.details),
      "note": Self.text(choice.note), "created_at": .string(choice.createdAt),
      "updated_at": .string(choice.updatedAt),
      "next": .array(ledger.next(on: today).map { .string($0.rawValue) }),
      "events": .array(ledger.entries.map(\.json)), "reminders": .bool(choice.reminders),
      "reply_link": .bool(choice.replyLink),
      "farol": destination.map { organisation in
        [
          "operator": [
            "id": .string(organisation.id), "name": .string(organisation.details.name),
          ]
        ]
      } ?? .null,
    ]
  }

  private var answersFor: JSONValue {
    guard let name = device.operatorName else { return .null }
    return [
      "name": .string(name),
      "contact": Self.text(device.protectionContact ?? device.operatorContact),
    ]
  }

  private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
}
