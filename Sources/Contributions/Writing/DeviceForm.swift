import JSON
package import PrivacyMap
package import Service

/// Reads the properties that people set from the `properties` of a feature. Checks are strict, and
/// all faults are collected in `body`.
package struct DeviceForm {
  package let vocabulary: Vocabulary
  package let today: Day

  package init(vocabulary: Vocabulary, today: Day) {
    self.vocabulary = vocabulary
    self.today = today
  }

  /// The properties that people set.
  package static let said = Set(DeviceProperty.all.filter(\.isEntered).map(\.name))

  /// Members that accompany a write and are not properties of the device.
  static let asides: Set<String> = ["comment", "duplicate_reason"]

  /// All members that `properties` may have. Those set by the server are accepted, but not stored.
  static let known = said.union(asides).union(DeviceProperty.all.map(\.name))

  /// The fields that can be marked as assumed: all that people set about the device itself.
  static let assumable = said.subtracting(["name", "category", "assumed", "approximate"])

  /// The members of `operator`.
  static let ofOperator = Set(contacts).union(["name", "kind"])
  fileprivate static let contacts = ["contact", "data_protection_contact", "privacy_policy"]

  /// Reads the members named in `names` into `fields`; a missing member becomes unknown.
  package func read(
    _ names: Set<String>, from body: inout RequestBody, into fields: inout DeviceFields
  ) throws {
    var reading = Reading(form: self, names: names, body: body, fields: fields)
    reading.readIdentity()
    for property in DeviceProperty.plain where names.contains(property.name) {
      reading.read(property)
    }
    if names.contains("operator") { reading.fields.answersFor = try reading.readOperator() }
    if names.contains("choices") { reading.fields.choices = try reading.readChoices() }
    if names.contains("assumed") {
      reading.fields.assumed = reading.body.codes("assumed", Self.assumable) ?? []
    }
    (body, fields) = (reading.body, reading.fields)
  }
}

extension DeviceForm {
  /// The state of reading one body.
  fileprivate struct Reading {
    let form: DeviceForm
    let names: Set<String>
    var body: RequestBody
    var fields: DeviceFields

    private var vocabulary: Vocabulary { form.vocabulary }

    mutating func readIdentity() {
      if names.contains("name") {
        fields.name = body.text("name", 1...120, isRequired: true) ?? fields.name
      }
      if names.contains("category") {
        let code = body.code("category", vocabulary.categories.map(\.code), isRequired: true)
        fields.category = code ?? fields.category
      }
    }

    /// Reads a plain property.
    mutating func read(_ property: DeviceProperty) {
      let name = property.name
      switch property.entry {
      case .text(let path, let length, let lines):
        fields[keyPath: path] = body.text(name, length, lines: lines)
      case .code(let path, let scheme):
        fields[keyPath: path] = body.code(name, vocabulary.codes(of: scheme))
      case .codes(let path, let scheme, _):
        fields[keyPath: path] = body.codes(name, vocabulary.codes(of: scheme)) ?? []
      case .word(let path, let words): fields[keyPath: path] = body.code(name, words)
      case .integer(let path, let range): fields[keyPath: path] = body.integer(name, range)
      case .number(let path, let numbers): fields[keyPath: path] = body.number(name, numbers)
      case .duration(let path): fields[keyPath: path] = body.duration(name)
      case .date(let path): fields[keyPath: path] = body.date(name, notAfter: form.today)
      case .day(let path): fields[keyPath: path] = body.day(name, notAfter: form.today)
      case .bearings: fields.bearings = body.bearings(name) ?? []
      case .own, .computed: break
      }
    }

    /// Reads the operator. For a household only the kind is stored, because more would identify a
    /// person.
    mutating func readOperator() throws -> Operator? {
      guard var inner = try body.object("operator", DeviceForm.ofOperator) else { return nil }
      defer { body.take(inner) }
      var who = Operator(
        name: inner.text("name", 1...200), kind: inner.oneOf("kind") ?? .unknown)
      if who.kind == .household {
        for name in ["name"] + DeviceForm.contacts where inner.value(name) != nil {
          inner.refuse(name, Message("error.household"))
        }
        return Operator(kind: .household)
      }
      who.contact = inner.contact("contact")
      who.dataProtectionContact = inner.contact("data_protection_contact")
      who.privacyPolicy = inner.webAddress("privacy_policy")
      if who.name == nil, DeviceForm.contacts.contains(where: { inner.value($0) != nil }) {
        inner.refuse("name", Message("error.nameless_operator"))
      }
      return who
    }

    mutating func readChoices() throws -> [OfferedChoice] {
      guard let items = body.list("choices", limit: 20) else { return [] }
      var choices: [OfferedChoice] = []
      for (place, item) in items.enumerated() {
        guard let object = item.objectValue else {
          body.fault("choices", Message("error.type.objects"))
          return []
        }
        if let choice = try readChoice(object, at: place) { choices.append(choice) }
      }
      return choices
    }

    private mutating func readChoice(_ object: JSONObject, at place: Int) throws -> OfferedChoice? {
      var inner = try RequestBody(
        object, ["kind", "channel", "target", "instructions", "deadline_days", "checked_on"],
        prefix: "choices[\(place)].")
      defer { body.take(inner) }
      let kind = inner.code("kind", vocabulary.terms(of: .choices).map(\.code), isRequired: true)
      guard let kind else { return nil }
      var choice = OfferedChoice(kind: kind)
      choice.channel = inner.oneOf("channel")
      switch choice.channel {
      case .url: choice.target = inner.webAddress("target")
      case .email: choice.target = inner.email("target")
      case .post, .onDevice, .inPerson, nil:
        choice.target = inner.text("target", 1...500, lines: true)
      }
      choice.instructions = inner.text("instructions", 1...1_000, lines: true)
      choice.deadlineDays = inner.integer("deadline_days", 0...3_650)
      choice.checkedOn = inner.day("checked_on", notAfter: form.today)
      return choice
    }
  }
}

extension Vocabulary {
  fileprivate func codes(of scheme: Scheme) -> some Sequence<String> {
    terms(of: scheme).lazy.map(\.code)
  }
}

extension RequestBody {
  /// The elements of an array of at most `limit`; nil if it is missing, null or not an array.
  mutating func list(_ name: String, limit: Int) -> [JSONValue]? {
    guard let value = value(name) else { return nil }
    guard let items = value.arrayValue else {
      fault(name, Message("error.type.array"))
      return nil
    }
    guard items.count <= limit else {
      refuse(name, Message("error.too_many_items", ["maximum": "\(limit)"]))
      return nil
    }
    return items
  }

  /// A number within its range, of which the lower limit may be excluded.
  mutating func number(_ name: String, _ numbers: DeviceProperty.Numbers) -> Double? {
    guard let number = number(name, numbers.range) else { return nil }
    guard !numbers.isAboveLowest || number > numbers.range.lowerBound else {
      let edges = [
        "minimum": Self.limit(numbers.range.lowerBound),
        "maximum": Self.limit(numbers.range.upperBound),
      ]
      refuse(name, Message("error.not_above", edges))
      return nil
    }
    return number
  }

  /// A duration of ISO 8601, `none` or `indefinite`.
  mutating func duration(_ name: String) -> String? {
    guard let text = text(name, 1...40), text != "unknown" else { return nil }
    guard ["none", "indefinite"].contains(text) || ValueShape.isDuration(text) else {
      refuse(name, Message("error.retention"))
      return nil
    }
    return text
  }

  /// A year, month or day of ISO 8601 that is not later than `last`.
  mutating func date(_ name: String, notAfter last: Day) -> String? {
    guard let text = text(name, 4...10) else { return nil }
    guard ValueShape.isDate(text, notAfter: last) else {
      refuse(name, Message("error.date"))
      return nil
    }
    return text
  }

  /// At most 36 directions in degrees, from 0 to below 360.
  mutating func bearings(_ name: String) -> [Double]? {
    guard let items = list(name, limit: 36) else { return nil }
    let numbers = items.compactMap(\.numberValue)
    guard numbers.count == items.count else {
      fault(name, Message("error.type.numbers"))
      return nil
    }
    guard numbers.allSatisfy({ $0.isFinite && $0 >= 0 && $0 < 360 }) else {
      refuse(name, Message("error.bearing"))
      return nil
    }
    return numbers
  }

  /// A day of ISO 8601 that is not later than `last`.
  mutating func day(_ name: String, notAfter last: Day) -> Day? {
    guard let text = text(name, 1...40) else { return nil }
    guard let day = Day(text: text), day <= last else {
      refuse(name, Message("error.date"))
      return nil
    }
    return day
  }

  /// An `http` or `https` address.
  package mutating func webAddress(_ name: String) -> String? {
    guard let text = text(name, 1...2_000) else { return nil }
    guard ValueShape.isWebAddress(text) else {
      refuse(name, Message("error.web_address"))
      return nil
    }
    return text
  }

  mutating func email(_ name: String) -> String? {
    guard let text = text(name, 1...254) else { return nil }
    guard ValueShape.isEmail(text) else {
      refuse(name, Message("error.email"))
      return nil
    }
    return text
  }

  /// Contact details of an organisation; a text that looks like a web or e-mail address must be a
  /// valid one.
  package mutating func contact(_ name: String) -> String? {
    guard let text = text(name, 1...300) else { return nil }
    if text.contains("://") && !ValueShape.isWebAddress(text) {
      refuse(name, Message("error.web_address"))
    } else if text.contains("@") && !text.contains("://") && !ValueShape.isEmail(text) {
      refuse(name, Message("error.email"))
    }
    return text
  }
}
