import Devices

/// Why a device needs a visit: a person’s request, a mapping day, or its data.
package enum VisitReason: String, CaseIterable, Sendable {
  /// “Is this still here?”
  case stillThere = "still_there"
  /// “Please photograph the notice.”
  case photoNotice = "photo_notice"
  /// “Please check the details.”
  case checkDetails = "check_details"
  case mappingDay = "mapping_day"
  case stale, disputed
  case singleReport = "single_report"
  case approximate
  case noPhoto = "no_photo"

  /// The reasons that a person may give.
  static let asked: [VisitReason] = [.stillThere, .photoNotice, .checkDetails]

  init(_ need: DeviceNeed) {
    self =
      switch need {
      case .stale: .stale
      case .disputed: .disputed
      case .singleReport: .singleReport
      case .approximate: .approximate
      case .noPhoto: .noPhoto
      }
  }

  /// The equivalent reason in the data of a device; nil for requests.
  var need: DeviceNeed? { DeviceNeed(rawValue: rawValue) }

  /// Whether a view from the street is enough. Other requests are refused for devices of households.
  var isSeenFromStreet: Bool {
    switch self {
    case .stillThere, .mappingDay, .stale, .disputed, .singleReport: true
    case .photoNotice, .checkDetails, .approximate, .noPhoto: false
    }
  }
}

/// The outcome of a visit, as the volunteer reports it.
package enum VisitOutcome: String, CaseIterable, Sendable {
  case confirmed, changed, gone
  case notFound = "not_found"
  case notAccessible = "not_accessible"
  case unsafe
}

/// Why a request ended without a visit.
package enum VisitEnd: String, CaseIterable, Sendable {
  /// Withdrawn by the person who requested the visit.
  case withdrawn
  /// Closed by a moderator.
  case moderated
  case expired
  case deviceDeleted = "device_deleted"
  case deviceMerged = "device_merged"
  case deviceHidden = "device_hidden"
  /// The device is now known to be inside a private home.
  case devicePrivate = "device_private"
}
