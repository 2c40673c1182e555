import JSON
import PrivacyMap
import WrittenValues

/// The choices that a device offers, and how to reach its operator.
extension DeviceDraft {
  private static let maxChoices = 20

  /// Codes separated by semicolons, or objects as in the API: `[{"kind": "object", "channel": "email", …}]`.
  mutating func choices() -> [OfferedChoice] {
    firstOptionalValue(.choices) { draft, values in
      var choices: [OfferedChoice] = []
      for text in values.texts {
        for offered in Self.offered(text) {
          if let choice = draft.choice(offered) { choices.append(choice) }
        }
      }
      if choices.count > Self.maxChoices {
        draft.note(.choices, "too_many", "Only the first \(Self.maxChoices) choices were taken.")
      }
      return choices.isEmpty ? nil : Array(choices.prefix(Self.maxChoices))
    } ?? []
  }

  private static func offered(_ text: String) -> [JSONValue] {
    let first = text.first { !$0.isWhitespace }
    guard first == "[" || first == "{", let json = try? JSONValue(parsing: Array(text.utf8)) else {
      return text.split(separator: ";").map { .string(RowColumns.cleaned(String($0))) }
    }
    return json.arrayValue ?? [json]
  }

  private mutating func choice(_ offered: JSONValue) -> OfferedChoice? {
    let kind = offered.stringValue ?? offered["kind"]?.stringValue ?? ""
    guard mapper.vocabulary?.contains(kind, in: .choices) ?? !kind.isEmpty else {
      note(.choices, "unknown_code", "“\(CleanText.excerpt(kind))” is no code of this instance.")
      return nil
    }
    var choice = OfferedChoice(kind: kind)
    choice.channel = offered["channel"]?.stringValue.flatMap(OfferedChoice.Channel.init(rawValue:))
    choice.target = target(offered["target"]?.stringValue, by: choice.channel)
    choice.instructions = offered["instructions"]?.stringValue.flatMap {
      said($0, .choices, limit: 1_000, lines: true)
    }
    if let days = offered["deadline_days"]?.intValue, (0...3_650).contains(days) {
      choice.deadlineDays = days
    }
    if let day = offered["checked_on"]?.stringValue.flatMap({ Day(text: $0) }), day <= mapper.today
    {
      choice.checkedOn = day
    }
    return choice
  }

  private mutating func target(_ text: String?, by channel: OfferedChoice.Channel?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    let isRight =
      switch channel {
      case .url: text.utf8.count <= 2_000 && ValueShape.isWebAddress(text)
      case .email: ValueShape.isEmail(text)
      case .post, .onDevice, .inPerson, nil: true
      }
    guard isRight else {
      note(.choices, "not_an_address", "The address of a choice is not valid.")
      return nil
    }
    return channel == .url ? text : said(text, .choices, limit: 500, lines: true)
  }

  /// A contact of an organisation: an address, a telephone number or a sentence.
  mutating func contact(_ field: DeviceField) -> String? {
    firstOptionalValue(field) { draft, values in
      let text = draft.said(
        values.texts.joined(separator: values.shared.rule.join), field, limit: 300, lines: false)
      guard let text else { return nil }
      let isWrong =
        text.contains("://")
        ? !ValueShape.isWebAddress(text) : text.contains("@") && !ValueShape.isEmail(text)
      if isWrong { draft.note(field, "not_an_address", "The contact is no valid address.") }
      return isWrong ? nil : text
    }
  }

  /// The moment of the last confirmation. Workbooks have no time zone; exports are in UTC.
  mutating func lastConfirmed() -> Timestamp? {
    firstOptionalValue(.lastConfirmed) { _, values in
      values.texts.first.flatMap { text in
        Timestamp(text: text)
          ?? Timestamp(text: String(text.prefix(19)).replacing(" ", with: "T") + "Z")
      }
    }
  }
}
