/// What is said of a device, apart from who said it and where it stands. Nil is unknown.
package struct DeviceFields: Equatable, Sendable {
  /// 1–120 characters.
  package var name: String
  /// A code of the scheme `categories`.
  package var category: String
  package var status = DeviceStatus.reported
  /// Plain text, at most 2,000 characters.
  package var description: String?
  package var manufacturer: String?
  package var model: String?
  /// How many such devices stand together, 1–10,000.
  package var units: Int?
  /// Floor, as people write it: `-1`, `0`, `2;3`.
  package var level: String?
  /// Metres above the ground.
  package var height: Double?
  package var setting: Setting?
  package var zone: String?
  /// Degrees clockwise from north, 0 up to 360.
  package var bearings: [Double] = []
  /// Degrees, above 0 through 360.
  package var fieldOfView: Double?
  package var mount: String?
  package var dataCollected: [String] = []
  package var purposes: [String] = []
  package var identifiability: String?
  package var processing: String?
  package var storage: String?
  /// ISO 8601 duration, `none` or `indefinite`.
  package var retention: String?
  package var sharedWith: [String] = []
  package var legalBasis: String?
  package var signage: String?
  package var answersFor: Operator?
  package var choices: [OfferedChoice] = []
  /// Names of the fields above that nobody has seen: they were filled in from the category.
  package var assumed: [String] = []
  /// ISO 8601 year, month or day on which it began to work.
  package var startedOn: String?
  /// The day its source last looked.
  package var observedOn: Day?
  package var lastConfirmed: Timestamp?

  package init(name: String, category: String) {
    self.name = name
    self.category = category
  }

  /// The day the device asks to be looked at again.
  package func staleOn(after staleMonths: Int, addedOn: Day) -> Day {
    (lastConfirmed?.day ?? observedOn ?? addedOn).adding(months: staleMonths)
  }
}

/// What is known of a device being there at all.
package enum DeviceStatus: String, CaseIterable, Sendable {
  case reported, confirmed, disputed, removed
  case notADevice = "not_a_device"

  /// Shown unless a request asks for other states: what stands, as far as anybody knows.
  package static let standing: [DeviceStatus] = [.reported, .confirmed, .disputed]
}

/// Whom a device faces.
package enum Setting: String, CaseIterable, Sendable {
  case `public`, outdoor, indoor
}

/// Who answers for a device.
package struct Operator: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case `public`, company, household, unknown
  }

  package var name: String?
  package var kind: Kind
  package var contact: String?
  package var privacyPolicy: String?
  package var dataProtectionContact: String?

  package init(name: String? = nil, kind: Kind = .unknown) {
    self.name = name
    self.kind = kind
  }
}

/// A choice that a device offers to the people it watches.
package struct OfferedChoice: Equatable, Sendable {
  package enum Channel: String, CaseIterable, Sendable {
    case url, email, post
    case onDevice = "on_device"
    case inPerson = "in_person"
  }

  /// A code of the scheme `choices`.
  package var kind: String
  package var channel: Channel?
  package var target: String?
  package var instructions: String?
  package var deadlineDays: Int?
  package var checkedOn: Day?

  package init(kind: String) { self.kind = kind }
}

/// How recently somebody looked, by the day a device goes stale.
package enum Freshness: String, CaseIterable, Sendable {
  case fresh, due, stale

  /// Days before the stale day from which a device is due to be looked at.
  package static let dueDays: Int32 = 60

  package init(staleOn: Day, today: Day) {
    if staleOn <= today {
      self = .stale
    } else if staleOn.daysSinceEpoch - today.daysSinceEpoch <= Self.dueDays {
      self = .due
    } else {
      self = .fresh
    }
  }
}
