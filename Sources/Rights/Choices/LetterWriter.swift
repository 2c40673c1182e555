import Devices
import JSON
import PrivacyMap
import Reference
import Service
import SpatialDatabase
import WebServer

/// Writes letters: determines the values of their placeholders and the recipient.
struct LetterWriter: Sendable {
  let rights: RightsBook
  let letters: LetterBook
  let contacts: ContactBook
  let catalogue: Catalogue
  let addresses: Addresses
  let places: PlaceStore?
  let countries: CountryMap?

  /// The letters of a choice.
  enum Which: String, CaseIterable, Sendable { case request, remind, complain }

  /// The subject matter of a letter.
  struct Matter: Sendable {
    let device: ChosenDevice
    let kind: String
    let right: String?
    let letter: String
    let regime: String
    let country: String?
    let language: String
    let offered: OfferedChoice?
  }

  /// A finished letter, except for missing values.
  struct Written: Sendable {
    let code: String
    var filled: LetterBook.Filled
    let to: Recipient
    let language: String
  }

  /// Placeholders of the device that a person may correct.
  static let correctable: Set<String> = ["place", "operator", "contact"]

  /// The code of a letter. Reminders and complaints can only follow a request that exercises a right.
  ///
  /// - Throws: a 409 if there is no such letter.
  func code(_ which: Which, for letter: String, refused: Bool) throws -> String {
    let code =
      switch which {
      case .request: letter
      case .remind: "remind"
      case .complain: refused ? "complain_refusal" : "complain_silence"
      }
    guard let found = letters.letters[code], found.after?.contains(letter) ?? true else {
      throw Refusal(.conflict, "error.choice.no_letter", type: "no-letter")
    }
    return code
  }

  /// Fills in a letter with data of the device and the law, and with `values`, which take precedence.
  ///
  /// - Throws: a 409 if there is no such letter.
  func write(
    _ code: String, about matter: Matter, with values: [String: String],
    _ connection: borrowing Connection
  ) throws -> Written {
    let known = try deviceValues(matter, connection).merging(rightValues(matter)) { $1 }
    let filled = letters.fill(
      code, under: matter.regime, in: matter.language, with: known.merging(values) { $1 })
    guard let filled else {
      throw Refusal(.conflict, "error.choice.no_letter", type: "no-letter")
    }
    return Written(
      code: code, filled: filled, to: try recipient(of: code, matter), language: matter.language)
  }

  private func recipient(of code: String, _ matter: Matter) throws -> Recipient {
    if letters.letters[code]?.kind == "complaint",
      let authority = matter.country.flatMap({ authority(of: $0, for: matter.device) })
    {
      return .authority(authority, in: matter.language)
    }
    return try .operator(
      of: matter.device, offered: matter.offered, country: matter.country, in: contacts
    ) { catalogue.text($0, in: matter.language) }
  }

  /// The supervisory authority of the country, or of the state in which the device is, as listed in
  /// `seed/rights/authorities.json`.
  func authority(of country: String, for device: ChosenDevice) -> JSONValue? {
    let point = Coordinate.clamped(longitude: device.longitude, latitude: device.latitude)
    return rights.authority(
      of: country, state: countries?.country(at: point).state, operatorKind: device.operatorKind)
  }

  private func deviceValues(
    _ matter: Matter, _ connection: borrowing Connection
  ) throws -> [String: String] {
    let device = matter.device
    func label(_ scheme: String, _ code: String) throws -> String {
      try ChoiceStore.label(scheme, code, in: matter.language, connection) ?? code
    }
    return [
      "device_name": device.name, "category": try label("categories", device.category),
      "place": place(of: device, in: matter.language), "device_id": device.id,
      "device_url": addresses.url("/devices/\(device.id)"),
      "photo_url": device.photo.map { addresses.url($0) } ?? "",
      "operator": device.operatorName ?? "",
      "contact": device.protectionContact ?? device.operatorContact ?? "",
      "choice": try label("choices", matter.kind),
      "instructions": matter.offered?.instructions ?? "",
    ]
  }

  /// The nearest town and the public point, which describe the place without a map.
  private func place(of device: ChosenDevice, in language: String) -> String {
    func degrees(_ value: Double) -> String {
      String((value * 100_000).rounded() / 100_000)
    }
    let point = "\(degrees(device.latitude)), \(degrees(device.longitude))"
    guard let position = try? Coordinate(longitude: device.longitude, latitude: device.latitude),
      let town = try? places?.nearest(to: position, language: language)
    else { return point }
    let names = [town.name, town.countryName ?? town.country ?? ""].filter { !$0.isEmpty }
    return catalogue.text(
      Message(
        "mail.letter.place", ["place": names.joined(separator: ", "), "point": point]),
      in: language)
  }

  private func rightValues(_ matter: Matter) -> [String: String] {
    var values: [String: String] = [:]
    let language = matter.language
    if let code = matter.right, let law = rights.law(code, under: matter.regime) {
      values["right_label"] = rights.right(code)?.words[language]?["label"]?.stringValue
      values["right_article"] = law["cite"]?[language]?.stringValue
      values["infringed"] = law["infringed"]?[language]?.stringValue
    }
    if let authority = matter.country.flatMap({ authority(of: $0, for: matter.device) }) {
      values["authority"] = authority["name"]?.stringValue
      values["authority_address"] =
        ContactBook.Contact.texts(authority["address"]).joined(separator: ", ")
    }
    return values
  }

  /// The values that the ledger has about a request.
  func ledgerValues(
    _ choice: StoredChoice, today: Day, in language: String
  ) -> [String: String] {
    let ledger = choice.ledger
    func written(_ day: Day?) -> String? { day.map { catalogue.written($0, in: language) } }
    var values = ["date": catalogue.written(today, in: language)]
    values["sent_on"] = written(ledger.sentOn)
    values["deadline"] = written(ledger.lastDay)
    if let entry = ledger.entries.last(where: { $0.event == .extended }),
      let until = written(ledger.extendedUntil)
    {
      values["extension"] = reason(of: entry, in: language).map { "\(until): \($0)" } ?? until
    }
    if let entry = ledger.entries.last(where: { $0.event == .refused }) {
      values["answered_on"] = written(entry.at.day)
      values["refusal"] = reason(of: entry, in: language) ?? entry.note
    }
    return values
  }

  private func reason(of entry: LedgerEntry, in language: String) -> String? {
    entry.reason.map { rights.reason($0, in: language) }
  }
}

extension LetterWriter.Written {
  /// The JSON of the letter. `fields` are the placeholders that the person may fill in.
  func json(_ writer: LetterWriter) -> JSONValue {
    let letter = writer.letters.letters[code]
    func label(_ name: String) -> JSONValue {
      .string(writer.letters.label(of: name, in: language))
    }
    let fields = (letter?.placeholders ?? []).filter { name in
      writer.letters.source(of: name) == "person" || LetterWriter.correctable.contains(name)
    }
    return [
      "letter": .string(code), "language": .string(language),
      "subject": .string(filled.subject), "body": .string(filled.body),
      "missing": .array(
        filled.missing.map { ["placeholder": .string($0), "label": label($0)] }),
      "fields": .array(
        fields.map { name in
          [
            "placeholder": .string(name), "label": label(name),
            "required": .bool(letter?.required.contains(name) ?? false),
          ]
        }),
      "to": to.json,
      "mailto": to.mailto(subject: filled.subject, body: filled.body).map { .string($0) } ?? .null,
    ]
  }
}
