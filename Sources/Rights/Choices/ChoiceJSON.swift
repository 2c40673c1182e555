import JSON
import PrivacyMap
import Service

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

  static let shape = JSONShape<ChoiceJSON>(
    "choice", .uuid("id", \.choice.id),
    .group(
      "device", .uuid("id", \.device.id), .text("name", \.device.name),
      .text("category", \.device.category), .text("country", \.live?.country),
      .text("status", \.live?.status)),
    .text("kind", \.choice.kind),
    .text("right", \.choice.right), .text("letter", \.choice.letter),
    .text("regime", \.choice.regime), .init("country", .country, \.choice.country),
    .text("language", \.choice.language),
    .text("channel") { $0.ledger.entries.first { $0.channel != nil }?.channel?.rawValue },
    .oneOf("state", \.ledger.state), .flag("overdue") { $0.ledger.isOverdue(on: $0.today) },
    .day("received_on", \.ledger.receivedOn), .day("due_on", \.ledger.dueOn),
    .day("extended_until", \.ledger.extendedUntil),
    .group(
      "deadline", .text("first", \.ledger.terms.first.text),
      .text("extension", \.ledger.terms.longer?.text), .text("basis", \.choice.basis)),
    .group(
      "operator", if: { $0.device.operatorName != nil },
      .text("name") { $0.device.operatorName ?? "" },
      .text("contact") { $0.device.protectionContact ?? $0.device.operatorContact }),
    .init("details", .textsByName) { ChoiceStore.json($0.choice.details) },
    .text("note", \.choice.note), .time("created_at", \.choice.createdAt),
    .time("updated_at", \.choice.updatedAt),
    .init("next", .list(of: .oneOf(LedgerEvent.self))) {
      $0.ledger.next(on: $0.today).map(\.rawValue)
    }, .list("events", of: LedgerEntry.shape, \.ledger.entries),
    .flag("reminders", \.choice.reminders), .flag("reply_link", \.choice.replyLink),

    .group(
      "farol", if: { $0.destination != nil },
      .group(
        "operator", .uuid("id") { $0.destination?.id ?? "" },
        .text("name") { $0.destination?.details.name ?? "" })))

  private var ledger: Ledger { choice.ledger }
}

extension JSONSchema {
  /// An ISO 3166-1 alpha-2 code.
  static let country = text(2...2)
}
