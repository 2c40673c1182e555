import JSON

/// The law that applies to a device, in the language of the reader: the member `rights` of the response of
/// ``OfferRoutes``.
struct ApplicableLaw {
  let choices: Choices
  let device: ChosenDevice
  let place: LegalPlace
  let language: String

  private var book: RightsBook { choices.rights }

  var json: JSONObject {
    var members: JSONObject = ["country": Self.text(place.country)]
    if device.isCountryUncertain {
      members["country_uncertain"] = true
      members["countries"] = .texts(choices.legalPlaces.possibleCountries(of: device))
    }
    for member in states.members { members[member.key] = member.value }
    guard let country = place.country, let code = book.regime(in: place),
      let regime = book.regimes[code]
    else {
      members["regime"] = .null
      return members
    }
    for member in law(code, regime, in: country).members { members[member.key] = member.value }
    return members
  }

  /// The state, and the states to choose from where it is unknown or uncertain.
  private var states: JSONObject {
    guard let country = place.country, book.hasStateLaw(country) else { return [:] }
    let isOpen = place.isRegionUncertain || place.region == nil
    return [
      "region": Self.text(place.region), "region_uncertain": .bool(isOpen),
      "regions": .array(
        !isOpen
          ? []
          : book.states.states.map { state in
            [
              "code": .string(state.code),
              "label": state.names[language] ?? state.names["en"] ?? .null,
            ]
          }),
    ]
  }

  private func law(_ code: String, _ regime: JSONValue, in country: String) -> JSONObject {
    let languages = choices.letters.languages(of: book.family(of: code))
    let authority = choices.writer.authority(of: country, code, for: device)
    return [
      "country_uncertain": .bool(device.isCountryUncertain),
      "free_days": .texts(book.freeDays(in: country, today: choices.today)),
      "regime": .string(code), "label": regime[language]?["label"] ?? .null,
      "name": regime[language]?["name"] ?? .null,
      "deadline": regime["deadline"]?[language] ?? .null,
      "written_on": regime["written_on"] ?? .null, "checked_on": regime["checked_on"] ?? .null,
      "authority": authority.map { self.authority($0) } ?? .null,
      "register": book.jurisdictions[country]?.register ?? .null,
      "letter_languages": .texts(languages),
      "letter_language": .string(
        book.language(at: place, authority: authority, among: languages)),
      "limits": .array(limits(of: regime)), "rights": .array(rights(under: code, regime)),
    ]
  }

  /// The limits that concern the device: limits for its legal basis or its category, and limits that always apply.
  private func limits(of regime: JSONValue) -> [JSONValue] {
    (regime["limits"]?.arrayValue ?? []).filter { limit in
      if let categories = limit["categories"]?.arrayValue {
        return categories.contains(.string(device.category))
      }
      if limit["always"] == true { return true }
      let basis = device.statedBasis.map { JSONValue.string($0) }
      return basis.map { limit["legal_bases"]?.arrayValue?.contains($0) ?? false } ?? false
    }.map { limit in
      [
        "code": limit["code"] ?? .null, "article": limit["article"] ?? .null,
        "url": limit["url"]?[language] ?? .null, "text": limit[language] ?? .null,
      ]
    }
  }

  private func rights(under code: String, _ regime: JSONValue) -> [JSONValue] {
    let basis = device.statedBasis
    if let basis, book.outside(code).contains(basis) { return [] }
    return book.rights.filter { $0.isGiven(under: basis) }.compactMap { right in
      guard let law = book.law(right.code, under: code),
        book.applies(law, to: device.operatorKind)
      else { return nil }
      return json(right, law)
    }
  }

  private func json(_ right: RightsBook.Right, _ law: JSONValue) -> JSONValue {
    let words = law[language] ?? right.words[language]
    return [
      "code": .string(right.code), "choice": right.words["choice"] ?? .null,
      "label": words?["label"] ?? .null, "summary": words?["summary"] ?? .null,
      "article": law["article"] ?? .null, "cite": law["cite"]?[language] ?? .null,
      "law": law["law"]?[language] ?? .null, "effective_on": law["effective_on"] ?? .null,
      "operators": law["operators"] ?? .null,
      "url": law["url"]?[language] ?? .null, "deadline": law["deadline"] ?? .null,
      "extension": law["extension"] ?? .null, "deadline_basis": law["deadline_basis"] ?? .null,
      "limits": words?["limits"] ?? [], "needs": right.words["needs"] ?? [],
    ]
  }

  private func authority(_ authority: JSONValue) -> JSONValue {
    var members = JSONObject()
    for name in [
      "code", "name", "name_en", "address", "email", "web", "complaint_page", "languages",
    ] {
      members[name] = authority[name] ?? .null
    }
    members["note"] = authority["note"]?[language] ?? .null
    return .object(members)
  }

  private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
}

extension ChosenDevice {
  /// The legal basis that the record states; nil if it states none.
  var statedBasis: String? { legalBasis == "none_stated" ? nil : legalBasis }
}

extension JSONValue {
  fileprivate static func texts(_ texts: [String]) -> JSONValue {
    .array(texts.map { .string($0) })
  }
}
