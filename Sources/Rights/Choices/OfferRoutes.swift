import Devices
import JSON
import PrivacyMap
import Reference
import Service
import SpatialDatabase
import WebServer

/// The choices and letters for a device, without an account: the same response for all callers.
struct OfferRoutes: Sendable {
  let choices: Choices

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getDeviceChoices", "/api/collections/devices/items/{id}/choices", tag: ChoiceRoutes.tag,
        summary: "The choices that a device offers, and the rights under the law of its country.",
        parameters: [
          .deviceID, .language(choices.catalogue.languages), Self.country, Self.region,
        ],
        answers: [.ok("Choices and rights.", schema: "deviceChoices")], offered),
      Endpoint(
        "getLetter", "/api/letters", tag: ChoiceRoutes.tag,
        summary: "A letter about a device, with placeholders for the person’s own values.",
        parameters: [
          .query("device", .text(maxLength: 36), "The UUID of the device.", isRequired: true),
          .query(
            "kind", .oneOf(choices.rights.ways.keys.sorted()), "The kind of choice.",
            isRequired: true),
          ChoiceFileRoutes.which,
          .query(
            "state", .oneOf(LedgerState.allCases.map(\.rawValue)),
            "The state of the choice: complaints about a refusal, or about a request that is not done, are other letters."
          ),
          .language(choices.letters.languages), Self.country, Self.region,
        ],
        answers: [
          .ok("The letter.", schema: "letter"),
          .refusal(409, "There is no such letter."),
          .refusal(422, "The letter cannot be written for this device; `errors` gives the reason."),
        ], letter),
    ]
  }

  private static let country = Parameter.query(
    "country", .text(maxLength: 2),
    "The country of the device (ISO 3166-1 alpha-2), if its record has none or is uncertain."
  )

  private static let region = Parameter.query(
    "region", .text(maxLength: 6),
    "The state of the device (ISO 3166-2), if its state is unknown or uncertain and its country’s law "
      + "differs by state.")

  /// Reads the parameter `country`.
  private func country(_ query: Query) throws -> String? {
    guard let text = query["country"] else { return nil }
    guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      throw InvalidInput("country", Message("error.country"))
    }
    return text
  }

  /// Reads the parameter `region`.
  private func region(_ query: Query) throws -> String? {
    guard let text = query["region"] else { return nil }
    let isCode = text.utf8.allSatisfy {
      (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
    }
    guard (4...6).contains(text.utf8.count), isCode else {
      throw InvalidInput("region", Message("error.region"))
    }
    return text
  }

  /// A publicly visible device.
  ///
  /// - Throws: a 404, or a 410 if it was deleted.
  private func device(
    _ id: String, _ connection: borrowing Connection
  ) throws -> ChosenDevice {
    let found = try FoundDevice(id, for: .nobody, connection)
    guard let device = try ChosenDevice(found.id.text, connection) else { throw NotFound.device }
    return device
  }

  @Sendable private func offered(_ request: Request) throws -> Response {
    let asked = try country(request.query)
    let region = try region(request.query)
    try choices.catalogue.checkLanguage(request)
    let language = choices.catalogue.language(of: request)
    let id = request.parameter("id")
    return try choices.versions.answer(
      request, where: { try choices.database.readQuickly { try isThere(id, $0) } }
    ) {
      try choices.database.readQuickly { connection in
        let device = try device(id, connection)
        let seen = try ChosenDevice.offers(of: device.id, connection)
        let stated = try Statement.offers(of: device.id, connection)
        let offers = seen + stated
        let place = try choices.legalPlaces.place(of: device, country: asked, region: region)
        return .json(
          DeviceChoices(
            offered: seen.map { $0.json(by: "people") } + stated.map { $0.json(by: "operator") },
            rights: rights(of: device, in: place, language),
            letters: letters(for: device, offers, in: place),
            practice: try OutcomeStore().practice(
              operator: device.operatorName, category: device.category, connection)),
          as: DeviceChoices.shape)
      }
    }
  }

  private func isThere(_ id: String, _ connection: borrowing Connection) throws -> Bool {
    _ = try device(id, connection)
    return true
  }

  /// The letter for each kind of choice that can be requested by letter.
  private func letters(
    for device: ChosenDevice, _ offers: [OfferedChoice], in place: LegalPlace
  ) -> JSONObject {
    var found = JSONObject()
    for kind in choices.rights.ways.keys.sorted() {
      let offer = offers.first { $0.kind == kind }
      guard
        let terms = try? ChoiceTerms(
          kind, of: device, in: place, offered: offer, by: choices.rights),
        let letter = terms.letter, terms.right != nil || offer != nil
      else { continue }
      found[kind] = .string(letter)
    }
    return found
  }

  private func rights(
    of device: ChosenDevice, in place: LegalPlace, _ language: String
  ) -> JSONObject {
    ApplicableLaw(choices: choices, device: device, place: place, language: language).json
  }

  /// A letter for a visitor. The placeholders that the person has to fill in stay in braces.
  @Sendable private func letter(_ request: Request) throws -> Response {
    let state = request.query["state"]
    if let state, LedgerState(rawValue: state) == nil {
      throw InvalidInput.unknownCode("state", state)
    }
    let which = try ChoiceFileRoutes.which(request.query)
    let asked = try country(request.query)
    let region = try region(request.query)
    let language =
      try ChoiceFileRoutes.language(request.query, choices.letters)
      ?? choices.catalogue.language(of: request)
    let kind = request.query["kind"]
    if let kind, choices.rights.ways[kind] == nil {
      throw InvalidInput.unknownCode("kind", kind)
    }
    guard let id = request.query["device"] else {
      throw InvalidInput("device", Message("error.missing_member"))
    }
    guard let kind else { throw InvalidInput("kind", Message("error.missing_member")) }
    return try choices.versions.answer(
      request, where: { try choices.database.readQuickly { try isThere(id, $0) } }
    ) {
      try choices.database.readQuickly { connection in
        let device = try device(id, connection)
        let place = try choices.legalPlaces.place(of: device, country: asked, region: region)
        let terms = try choices.terms(kind, of: device, in: place, connection)
        guard let letter = terms.letter, let regime = terms.regime else {
          throw Refusal(.conflict, "error.choice.no_letter", type: "no-letter")
        }
        let offers = try ChosenDevice.allOffers(of: device.id, connection)
        let matter = LetterWriter.Matter(
          device: device.withoutBraces, kind: kind, right: terms.right, letter: letter,
          regime: regime, country: place.country, language: language,
          offered: offers.first { $0.kind == kind })
        let code = try choices.writer.code(
          which, for: letter, after: state.flatMap(LedgerEvent.init(rawValue:)))
        let written = try choices.writer.write(code, about: matter, with: open(code), connection)
        return .json(
          LetterJSON(letter: written, book: choices.letters), as: LetterJSON.shape)
      }
    }
  }

  /// The placeholders of a letter whose values come from the person or the ledger, in braces.
  private func open(_ code: String) -> [String: String] {
    var values: [String: String] = [:]
    for name in choices.letters.letters[code]?.placeholders ?? [] {
      if ["person", "ledger"].contains(choices.letters.source(of: name)) {
        values[name] = "{\(name)}"
      }
    }
    return values
  }
}

extension ChosenDevice {
  /// The device with all braces replaced, so that no text looks like a placeholder.
  fileprivate var withoutBraces: ChosenDevice {
    func plain(_ text: String) -> String {
      text.replacing("{", with: "(").replacing("}", with: ")")
    }
    var device = self
    device.name = plain(name)
    device.operatorName = operatorName.map(plain)
    device.manufacturer = manufacturer.map(plain)
    device.operatorContact = operatorContact.map(plain)
    device.protectionContact = protectionContact.map(plain)
    return device
  }
}

/// The response of ``OfferRoutes`` about a device.
struct DeviceChoices {
  let offered: [JSONObject]
  let rights: JSONObject
  /// The letter for each kind of choice.
  let letters: JSONObject
  let practice: OutcomeStore.Practice

  static let shape = JSONShape<DeviceChoices>(
    "deviceChoices", .init("offered", .list(of: .object), \.offered), .object("rights", \.rights),
    .init("letters", .textsByName, \.letters),
    .object("practice", OutcomeStore.practice, \.practice))
}

extension OfferedChoice {
  /// The offer as on the device, with the party that states it.
  fileprivate func json(by speaker: String) -> JSONObject {
    var object = json.objectValue ?? JSONObject()
    object["by"] = .string(speaker)
    return object
  }
}
