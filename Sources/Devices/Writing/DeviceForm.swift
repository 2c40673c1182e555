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
  package static let said: Set<String> = [
    "name", "category", "description", "manufacturer", "model", "units", "precision", "approximate",
    "level", "height", "setting", "zone", "bearings", "field_of_view", "mount", "data_collected",
    "purposes", "identifiability", "processing", "storage", "retention", "shared_with",
    "legal_basis", "signage", "operator", "choices", "assumed", "started_on", "observed_on",
  ]

  /// Members that accompany a write and are not properties of the device.
  static let asides: Set<String> = ["comment", "duplicate_reason"]

  /// All members that `properties` may have. Those set by the server are accepted, but not stored.
  static let known = said.union(asides).union(DeviceProperty.all.map(\.name))

  /// The fields that can be marked as assumed: all that people set about the device itself.
  static let assumable = said.subtracting(["name", "category", "assumed", "approximate"])

  /// The members of `operator`.
  fileprivate static let ofOperator = Set(contacts).union(["name", "kind"])
  fileprivate static let contacts = ["contact", "data_protection_contact", "privacy_policy"]

  /// Reads the members named in `names` into `fields`; a missing member becomes unknown.
  package func read(
    _ names: Set<String>, from body: inout RequestBody, into fields: inout DeviceFields
  ) throws {
    var reading = Reading(form: self, names: names, body: body, fields: fields)
    reading.readIdentity()
    reading.readPlace()
    reading.readPractice()
    reading.readDays()
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

    /// The permitted length of the name of a manufacturer or a model, in characters.
    private static let shortText = 1...120

    mutating func readIdentity() {
      if names.contains("name") {
        fields.name = body.text("name", 1...120, isRequired: true) ?? fields.name
      }
      if names.contains("category") {
        let code = body.code("category", vocabulary.categories.map(\.code), isRequired: true)
        fields.category = code ?? fields.category
      }
      take("description", \.description) { $0.text("description", 1...2_000, lines: true) }
      take("manufacturer", \.manufacturer) { $0.text("manufacturer", Self.shortText) }
      take("model", \.model) { $0.text("model", Self.shortText) }
      take("units", \.units) { $0.integer("units", 1...10_000) }
    }

    mutating func readPlace() {
      take("level", \.level) { $0.text("level", 1...40) }
      take("height", \.height) { $0.number("height", -500...9_000) }
      take("setting", \.setting) { $0.oneOf("setting") }
      takeCode("zone", \.zone, .zones)
      takeCode("mount", \.mount, .mounts)
      if names.contains("bearings") { fields.bearings = readBearings() }
      take("field_of_view", \.fieldOfView) { body in
        let degrees = body.number("field_of_view", 0...360)
        if degrees == 0 { body.refuse("field_of_view", Message("error.field_of_view")) }
        return degrees
      }
    }

    mutating func readPractice() {
      takeCodes("data_collected", \.dataCollected, .data)
      takeCodes("purposes", \.purposes, .purposes)
      takeCodes("shared_with", \.sharedWith, Scheme(rawValue: "recipients"))
      takeCode("identifiability", \.identifiability, .identifiability)
      takeCode("processing", \.processing, .processing)
      takeCode("storage", \.storage, .storage)
      takeCode("legal_basis", \.legalBasis, .legalBases)
      takeCode("signage", \.signage, .signage)
      take("retention", \.retention) { body in
        guard let text = body.text("retention", 1...40), text != "unknown" else { return nil }
        guard ["none", "indefinite"].contains(text) || ValueShape.isDuration(text) else {
          body.refuse("retention", Message("error.retention"))
          return nil
        }
        return text
      }
    }

    mutating func readDays() {
      let today = form.today
      take("started_on", \.startedOn) { body in
        guard let text = body.text("started_on", 4...10) else { return nil }
        guard ValueShape.isDate(text, notAfter: today) else {
          body.refuse("started_on", Message("error.date"))
          return nil
        }
        return text
      }
      take("observed_on", \.observedOn) { $0.day("observed_on", notAfter: today) }
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

    private mutating func readBearings() -> [Double] {
      guard let items = body.list("bearings", limit: 36) else { return [] }
      let numbers = items.compactMap(\.numberValue)
      guard numbers.count == items.count else {
        body.fault("bearings", Message("error.type.numbers"))
        return []
      }
      guard numbers.allSatisfy({ $0.isFinite && $0 >= 0 && $0 < 360 }) else {
        body.refuse("bearings", Message("error.bearing"))
        return []
      }
      return numbers
    }

    private mutating func take<Value>(
      _ name: String, _ field: WritableKeyPath<DeviceFields, Value?>,
      _ read: (inout RequestBody) -> Value?
    ) {
      if names.contains(name) { fields[keyPath: field] = read(&body) }
    }

    private mutating func takeCode(
      _ name: String, _ field: WritableKeyPath<DeviceFields, String?>, _ scheme: Scheme
    ) {
      take(name, field) { [vocabulary] in $0.code(name, vocabulary.codes(of: scheme)) }
    }

    private mutating func takeCodes(
      _ name: String, _ field: WritableKeyPath<DeviceFields, [String]>, _ scheme: Scheme
    ) {
      guard names.contains(name) else { return }
      fields[keyPath: field] = body.codes(name, vocabulary.codes(of: scheme)) ?? []
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
