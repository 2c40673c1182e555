import PrivacyMap
import SpatialDatabase

/// A request to an operator that people of a town make together. It names no person.
struct CommonRequest: Sendable {
  let rowid: Int64
  let id: String
  /// The normal form of the operator's name at the time when the request became common.
  let operatorKey: String
  /// The town in the gazetteer; nil without one.
  let place: Int64?
  /// The device that letters are about.
  let device: String
  let kind: String
  let country: String?
  let period: String
  let countedOn: Day?
  /// The day of the first publication with a number, when at least ten people had sent their letters.
  let shownOn: Day?
  /// The last day for answers to the people counted on that day.
  let dueOn: Day?
  let people, honoured, refused, overdue: PublishedCount

  static let columns = """
    rowid, id, operator_key, place, device_id, kind, country, period, counted_on, shown_on, due_on,
    people, honoured, refused, overdue
    """

  init(_ row: borrowing Row) {
    func day(_ column: Int) -> Day? { row.optionalText(column).flatMap { Day(text: $0) } }
    func count(_ column: Int) -> PublishedCount {
      PublishedCount(people: Int(clamping: row.int(column)))
    }
    (rowid, id, operatorKey) = (row.int(0), row.text(1), row.text(2))
    place = row.int(3) == 0 ? nil : row.int(3)
    (device, kind) = (row.text(4), row.text(5))
    (country, period) = (row.optionalText(6), row.text(7))
    (countedOn, shownOn, dueOn) = (day(8), day(9), day(10))
    (people, honoured) = (count(11), count(12))
    (refused, overdue) = (count(13), count(14))
  }
}
