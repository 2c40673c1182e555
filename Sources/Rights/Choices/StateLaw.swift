import JSON

/// The law of a country that differs by state: `seed/rights/us.json` (docs/reference/rights.md, “The United States”).
/// Each state becomes a regime with the same members as a regime in `rights.json`.
struct StateLaw: Sendable {
  /// By code, for example `us-ca`.
  private(set) var regimes: [String: JSONValue] = [:]
  /// The states in the order of the file: ISO 3166-2 code, and the name by language.
  private(set) var states: [(code: String, names: JSONValue)] = []
  let country: String
  private let json: JSONValue

  init(_ json: JSONValue) {
    self.json = json
    country = json["country"]?.stringValue ?? ""
    for state in json["states"]?.arrayValue ?? [] {
      guard let code = state["code"]?.stringValue else { continue }
      states.append((code, ["en": state["en"] ?? .null, "pt": state["pt"] ?? .null]))
      regimes[Self.regime(of: code)] = regime(of: state, code)
    }
  }

  /// The code of the regime of a state: `US-CA` becomes `us-ca`.
  static func regime(of state: String) -> String { state.lowercased() }

  private func regime(of state: JSONValue, _ code: String) -> JSONValue {
    let shared = json["regime"]
    var rights = JSONObject()
    for right in json["rights"]?.objectValue?.members ?? [] {
      guard let act = right.value["act"]?.stringValue, let law = state[act],
        law["omits"]?.arrayValue?.contains(.string(right.key)) != true
      else { continue }
      rights[right.key] = self.right(right.value, under: law, act, of: state)
    }
    let notes = (state["notes"]?.arrayValue ?? []) + (shared?["limits"]?.arrayValue ?? [])
    return [
      "code": .string(Self.regime(of: code)), "letters": json["family"] ?? .null,
      "en": words(in: "en", of: state), "pt": words(in: "pt", of: state),
      "deadline": shared?["deadline"] ?? .null, "outside": shared?["outside"] ?? [],
      "limits": .array(notes), "rights": .object(rights), "authority": authority(of: state),
      "written_on": json["written_on"] ?? .null, "checked_on": json["checked_on"] ?? .null,
    ]
  }

  private func words(in language: String, of state: JSONValue) -> JSONValue {
    ["label": .string(sentence("label", in: language, ["state": name(of: state, in: language)]))]
  }

  /// One right under an act of a state.
  private func right(
    _ right: JSONValue, under law: JSONValue, _ act: String, of state: JSONValue
  ) -> JSONValue {
    let cite = law["cite"]?.stringValue ?? ""
    let days = law["days"]?.intValue.flatMap { (1...400).contains($0) ? $0 : nil }
    let isWorking = law["working"] == true
    var members: JSONObject = [
      "article": .string(cite), "operators": right["operators"] ?? .null,
      "deadline": .string(days.map { Self.period($0, isWorking: isWorking) } ?? "P1M"),
      "extension": law["extension"]?.intValue.map { .string("P\($0)D") } ?? .null,
      "deadline_basis": .string(days == nil ? "courtesy" : "statutory"),
      "effective_on": law["since"] ?? .null, "letter": right["letter"] ?? .null,
    ]
    var texts: [String: JSONObject] = [:]
    for language in ["en", "pt"] {
      let act = law["name"]?.stringValue ?? ""
      let form = days == nil ? "prompt" : isWorking ? "working_days" : "days"
      let time = sentence(
        form, in: language,
        ["count": "\(days ?? 0)", "cite": law["time_cite"]?.stringValue ?? cite])
      for (member, text) in [
        ("cite", cite), ("infringed", cite), ("url", law["url"]?.stringValue ?? ""),
        ("law", act), ("time", time), ("region", name(of: state, in: language)),
      ] { texts[member, default: [:]][language] = .string(text) }
      if let words = right[language] { members[language] = words }
    }
    for (member, byLanguage) in texts { members[member] = .object(byLanguage) }
    return .object(members)
  }

  /// A period in calendar days. Of working days Farol knows no calendar of each state: it counts whole
  /// weeks and three days more, so that no agency is called late too early.
  private static func period(_ days: Int, isWorking: Bool) -> String {
    "P\(isWorking ? (days + 4) / 5 * 7 + 3 : days)D"
  }

  private func authority(of state: JSONValue) -> JSONValue {
    guard var members = json["regime"]?["authority"]?.objectValue else { return .null }
    members["name"] = .string(sentence("authority", in: "en", ["state": name(of: state, in: "en")]))
    return .object(members)
  }

  private func name(of state: JSONValue, in language: String) -> String {
    (state[language] ?? state["en"])?.stringValue ?? ""
  }

  private func sentence(_ key: String, in language: String, _ values: [String: String]) -> String {
    let text = json["sentences"]?[language]?[key]?.stringValue ?? ""
    return values.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
  }
}
