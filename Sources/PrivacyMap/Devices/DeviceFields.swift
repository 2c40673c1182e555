/// The properties of a device, without its author and position. Nil means unknown.
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
  /// The number of identical devices at this place, 1–10,000.
  package var units: Int?
  /// Floor, in the notation that people use: `-1`, `0`, `2;3`.
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
  /// Names of the fields above that were filled in from the category and not observed.
  package var assumed: [String] = []
  /// ISO 8601 year, month or day on which the device started operating.
  package var startedOn: String?
  /// The day of the last check by its source.
  package var observedOn: Day?
  package var lastConfirmed: Timestamp?

  package init(name: String, category: String) {
    self.name = name
    self.category = category
  }

  /// The day on which the device becomes due for a new check.
  package func staleOn(after staleMonths: Int, addedOn: Day) -> Day {
    (lastConfirmed?.day ?? observedOn ?? addedOn).adding(months: staleMonths)
  }
}

/// Whether the device is believed to exist.
package enum DeviceStatus: String, CaseIterable, Sendable {
  case reported, confirmed, disputed, removed
  case notADevice = "not_a_device"

  /// The statuses shown by default: devices that are believed to be in place.
  package static let standing: [DeviceStatus] = [.reported, .confirmed, .disputed]
}

/// The space that a device watches.
package enum Setting: String, CaseIterable, Sendable {
  case `public`, outdoor, indoor
}

/// The organisation or person responsible for a device.
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

/// A choice that a device offers to the people it observes.
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

/// How recently a device was checked, derived from the day on which it becomes stale.
package enum Freshness: String, CaseIterable, Sendable {
  case fresh, due, stale

  /// Number of days before the stale day from which a device is due for a check.
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
