package import PrivacyMap
import Service
package import SpatialDatabase

/// The reason why a public device needs a visit, according to its data. Nothing is stored: the reasons follow from the
/// row of the device.
package enum DeviceNeed: String, CaseIterable, Sendable {
  /// Not checked for longer than devices of its category stay as they are.
  case stale
  case disputed
  /// Reported by one new account, without a confirmation.
  case singleReport = "single_report"
  /// Its position is a guess of its source.
  case approximate
  case noPhoto = "no_photo"

  /// An SQL condition on the table `device`, with the values that it binds.
  package func condition(on today: Day) -> (sql: String, values: [SQLValue]) {
    switch self {
    case .stale: ("\(Self.isThere) AND device.stale_on <= ?", [.text(today.text)])
    case .disputed: ("device.status = 'disputed'", [])
    case .singleReport:
      (
        """
        device.status = 'reported' AND device.account_rowid IS NOT NULL
          AND EXISTS (SELECT 1 FROM account WHERE account.rowid = device.account_rowid
            AND account.accepted_edits < ?)
          AND NOT EXISTS (SELECT 1 FROM verdict WHERE verdict.device_rowid = device.rowid
            AND verdict.claim = 'present' AND verdict.verdict = 'confirm' AND verdict.counts = 1)
        """, [.integer(Principal.acceptedEdits)]
      )
    case .approximate:
      ("\(Self.isThere) AND device.approximate = 1", [])
    case .noPhoto:
      (
        """
        \(Self.isThere) AND NOT EXISTS (SELECT 1 FROM photo
          WHERE photo.device_rowid = device.rowid AND photo.state = 'public')
        """, []
      )
    }
  }

  private static let isThere = "device.status NOT IN ('removed', 'not_a_device')"

  /// An SQL condition: the device belongs to a household, so volunteers check it from the street only. Categories of
  /// household devices count as well, because few of them have a known operator.
  package static let isOfHousehold = """
    (operator.kind = 'household' OR EXISTS (SELECT 1 FROM category
      WHERE category.code = device.category AND category.household = 1))
    """
  /// An SQL condition: the device is inside a private home.
  package static let isInHome = "(\(isOfHousehold) AND device.setting = 'indoor')"
}
