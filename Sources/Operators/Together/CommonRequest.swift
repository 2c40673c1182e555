import PrivacyMap
import SpatialDatabase

/// A request to an operator that people of a town make together. It names no person.
struct CommonRequest: Sendable {
  let rowid: Int64
  let id: String
  /// The normal form of the operator's name at the time when the request became common.
  let operatorKey: String
  let operatorName: String
  /// The town in the gazetteer; nil without one.
  let place: Int64?
  /// The device that letters are about.
  let device: String
  let kind: String
  let country: String?
  let period: String
  let openedOn: Day
  let countedOn: Day?
  /// The day of the first publication with a number, when at least ten people had sent their letters.
  let shownOn: Day?
  /// The last day for answers to the people counted on that day.
  let dueOn: Day?
  let people, honoured, refused, overdue: PublishedCount

  static let columns = """
    rowid, id, operator_key, operator_name, place, device_id, kind, country, period, opened_on,
    counted_on, shown_on, due_on, people, honoured, refused, overdue
    """

  /// Nil if the row is invalid.
  init?(_ row: borrowing Row) {
    guard let openedOn = Day(text: row.text(9)) else { return nil }
    func day(_ column: Int) -> Day? { row.optionalText(column).flatMap { Day(text: $0) } }
    func count(_ column: Int) -> PublishedCount {
      PublishedCount(people: Int(clamping: row.int(column)))
    }
    (rowid, id) = (row.int(0), row.text(1))
    (operatorKey, operatorName) = (row.text(2), row.text(3))
    place = row.int(4) == 0 ? nil : row.int(4)
    (device, kind) = (row.text(5), row.text(6))
    (country, period) = (row.optionalText(7), row.text(8))
    self.openedOn = openedOn
    (countedOn, shownOn, dueOn) = (day(10), day(11), day(12))
    (people, honoured) = (count(13), count(14))
    (refused, overdue) = (count(15), count(16))
  }
}
