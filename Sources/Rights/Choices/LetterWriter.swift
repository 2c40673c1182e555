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
  let names: DeviceNames
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
    /// The languages in which there is such a letter.
    let languages: [String]
    /// Whether no lawyer has checked its words yet.
    let isUnreviewed: Bool
    /// The texts of reasons in the language, if the letter quotes one.
    let reasons: [(key: String, value: String)]
    /// Where a person can ask if no contact is known: `register` and `authority`.
    let help: JSONObject
  }

  /// Placeholders of the device that a person may correct.
  static let correctable: Set<String> = ["place", "operator", "contact"]

  /// The code of a letter. Reminders and complaints can only follow a request that exercises a right.
  ///
  /// - Throws: a 409 if there is no such letter.
  func code(_ which: Which, for letter: String, after answer: LedgerEvent?) throws -> String {
    let code =
      switch which {
      case .request: letter
      case .remind: "remind"
      case .complain:
        switch answer {
        case .refused: "complain_refusal"
        case .honoured, .contested: "complain_unfulfilled"
        default: "complain_silence"
        }
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
    let family = rights.family(of: matter.regime)
    let filled = letters.fill(
      code, under: family, in: matter.language,
      with: known.merging(values) { $1 })
    guard let filled else {
      throw Refusal(.conflict, "error.choice.no_letter", type: "no-letter")
    }
    return Written(
      code: code, filled: filled, to: try recipient(of: code, matter), language: matter.language,
      languages: letters.languages(of: family),
      isUnreviewed: letters.isUnreviewed(family, in: matter.language),
      reasons: (letters.letters[code]?.placeholders ?? []).contains {
        ["refusal", "extension"].contains($0)
      } ? rights.reasonTexts(in: matter.language) : [], help: help(for: matter))
  }

  private func recipient(of code: String, _ matter: Matter) throws -> Recipient {
    if letters.letters[code]?.kind == "complaint",
      let authority = authority(of: matter.country, matter.regime, for: matter.device)
    {
      return .authority(authority, in: matter.language)
    }
    return try .operator(
      of: matter.device, offered: matter.offered, country: matter.country, in: contacts
    ) { catalogue.text($0, in: matter.language) }
  }

  /// The supervisory authority of the country, or of the state in which the device is, as listed in
  /// `seed/rights`.
  func authority(
    of country: String?, _ regime: String?, for device: ChosenDevice
  ) -> JSONValue? {
    if let own = regime.flatMap({ rights.regimes[$0]?["authority"] }) { return own }
    guard let country else { return nil }
    let point = Coordinate.clamped(longitude: device.longitude, latitude: device.latitude)
    return rights.authority(
      of: country, state: countries?.country(at: point).state, operatorKind: device.operatorKind)
  }

  /// The language for a letter about a device, unless the person chooses another.
  func language(for device: ChosenDevice, at place: LegalPlace) -> String {
    let regime = rights.regime(in: place)
    return rights.language(
      at: place, authority: authority(of: place.country, regime, for: device),
      among: regime.map { letters.languages(of: rights.family(of: $0)) } ?? [])
  }

  private func help(for matter: Matter) -> JSONObject {
    var help = JSONObject()
    help["register"] = matter.country.flatMap { rights.jurisdictions[$0]?.register } ?? .null
    help["authority"] = .null
    if let authority = authority(of: matter.country, matter.regime, for: matter.device) {
      let page = authority["complaint_page"]?.stringValue ?? authority["web"]?.stringValue
      help["authority"] = [
        "name": authority["name"] ?? .null, "web": page.map { .string($0) } ?? .null,
      ]
    }
    return help
  }

  private func deviceValues(
    _ matter: Matter, _ connection: borrowing Connection
  ) throws -> [String: String] {
    let device = matter.device
    func label(_ scheme: String, _ code: String) throws -> String {
      try letters.words.label(scheme, code, in: matter.language)
        ?? TaxonomyStore().words(scheme, code, in: matter.language, connection)?.label ?? code
    }
    let category = try label("categories", device.category)
    return [
      "device_name": try names.shown(
        device.named, in: matter.language, label: category, connection),
      "category": category,
      "place": try place(of: device, country: matter.country, in: matter.language),
      "device_id": device.id,
      "device_url": addresses.url("/devices/\(device.id)"),
      "photo_url": device.photo.map { addresses.url($0) } ?? "",
      "operator": device.operatorName ?? "",
      "contact": device.protectionContact ?? device.operatorContact ?? "",
      "choice": try label("choices", matter.kind),
      "instructions": matter.offered?.instructions ?? "",
    ]
  }

  /// The nearest town and the public point, which describe the place without a map. The town is in the
  /// country whose law the letter cites.
  private func place(
    of device: ChosenDevice, country: String?, in language: String
  ) throws -> String {
    func degrees(_ value: Double) -> String {
      String((value * 100_000).rounded() / 100_000)
    }
    let point = "\(degrees(device.latitude)), \(degrees(device.longitude))"
    let position = Coordinate.clamped(longitude: device.longitude, latitude: device.latitude)
    let town =
      if let country {
        try places?.nearest(to: position, in: country, count: 1, language: language).first
      } else {
        try places?.nearest(to: position, language: language)
      }
    guard let town else { return point }
    let land =
      town.country.flatMap { letters.words.country($0, in: language) } ?? town.countryName
      ?? town.country ?? ""
    let names = [town.name, land].filter { !$0.isEmpty }
    return catalogue.text(
      Message(
        "mail.letter.place", ["place": names.joined(separator: ", "), "point": point]),
      in: language)
  }

  private func rightValues(_ matter: Matter) -> [String: String] {
    var values: [String: String] = [:]
    let language = matter.language
    if let code = matter.right, let law = rights.law(code, under: matter.regime) {
      values["right_label"] =
        (law[language] ?? rights.right(code)?.words[language])?["label"]?
        .stringValue
      values["right_article"] = law["cite"]?[language]?.stringValue
      for name in ["infringed", "law", "time", "region"] {
        values[name] = law[name]?[language]?.stringValue
      }
    }
    if let authority = authority(of: matter.country, matter.regime, for: matter.device) {
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
    if let entry = ledger.answer {
      values["answered_on"] = written(entry.at.day)
      values["refusal"] =
        entry.event == .refused ? reason(of: entry, in: language) ?? entry.note : nil
    }
    // The person's own words replace it.
    values["view"] = ledger.entries.last { $0.event == .contested }?.reason
    return values
  }

  private func reason(of entry: LedgerEntry, in language: String) -> String? {
    entry.reason.map { rights.reason($0, in: language) }
  }
}

/// The JSON of a letter.
struct LetterJSON {
  let letter: LetterWriter.Written
  let book: LetterBook

  static let shape = JSONShape<LetterJSON>(
    "letter", .text("letter", \.letter.code), .text("language", \.letter.language),
    .texts("languages") { $0.letter.languages }, .flag("unreviewed", \.letter.isUnreviewed),
    .text("subject", \.letter.filled.subject), .text("body", \.letter.filled.body),
    .list("missing", of: missing) { $0.fields($0.letter.filled.missing) },
    .list("fields", of: field) { $0.fields($0.open) },
    .object("to", Recipient.shape, \.letter.to),
    .object("help", \.letter.help),
    .init("reasons", .textsByName) { letter in
      JSONObject(letter.letter.reasons.map { (key: $0.key, value: JSONValue.string($0.value)) })
    },
    .text("mailto") {
      $0.letter.to.mailto(subject: $0.letter.filled.subject, body: $0.letter.filled.body)
    })

  private typealias Field = (name: String, label: String, isRequired: Bool)

  private static let missing = JSONShape<Field>(
    nil, .text("placeholder") { $0.name }, .text("label") { $0.label })
  private static let field = missing.extended(as: nil, .flag("required") { $0.isRequired })

  /// The placeholders that the person may fill in.
  private var open: [String] {
    (book.letters[letter.code]?.placeholders ?? []).filter { name in
      book.source(of: name) == "person" || LetterWriter.correctable.contains(name)
    }
  }

  private func fields(_ names: [String]) -> [Field] {
    let required = book.letters[letter.code]?.required ?? []
    return names.map { name in
      (name, book.label(of: name, in: letter.language), required.contains(name))
    }
  }
}
