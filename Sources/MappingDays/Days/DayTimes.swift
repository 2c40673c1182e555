import Foundation
import PrivacyMap

/// The start and the end of a mapping day, written as local times of its time zone.
struct DayTimes: Equatable, Sendable {
  let start, end: Timestamp
  /// A name of the IANA time zone database.
  let zone: String

  /// The seconds between the plan and the start, and between the start and the end.
  static let notice: Int64 = 2 * 3_600
  static let minDuration: Int64 = 1_800
  static let maxDuration: Int64 = 48 * 3_600
  /// The seconds that a day may be planned ahead.
  static let farthest: Int64 = Seconds.days(366)

  /// Why a time is refused.
  struct Fault: Error, Equatable {
    let member: String
    let key: String
  }

  /// Reads local times, such as `2026-10-25T10:00`.
  ///
  /// - Throws: the first ``Fault``.
  init(start: String, end: String, zone name: String, now: Timestamp) throws(Fault) {
    guard name == "UTC" || name.contains("/"), !name.contains(".."),
      let zone = TimeZone(identifier: name)
    else { throw Fault(member: "time_zone", key: "error.watch.time_zone") }
    self.zone = name
    self.start = try Self.moment(start, zone, "starts")
    self.end = try Self.moment(end, zone, "ends")
    try check(now: now)
  }

  /// Checks the times again, for example when a draft is submitted later.
  static func check(start: Timestamp, end: Timestamp, zone: String, now: Timestamp) throws(Fault) {
    try DayTimes(start: start, end: end, zone: zone).check(now: now)
  }

  private init(start: Timestamp, end: Timestamp, zone: String) {
    (self.start, self.end, self.zone) = (start, end, zone)
  }

  private func check(now: Timestamp) throws(Fault) {
    let (first, last) = (start.secondsSinceEpoch, end.secondsSinceEpoch)
    guard last > first else { throw Fault(member: "ends", key: "error.mapping_day.end_first") }
    // The length in seconds, so that a change of the clocks neither lengthens nor shortens a day.
    guard last - first >= Self.minDuration else {
      throw Fault(member: "ends", key: "error.mapping_day.short")
    }
    guard last - first <= Self.maxDuration else {
      throw Fault(member: "ends", key: "error.mapping_day.long")
    }
    guard first >= now.secondsSinceEpoch + Self.notice else {
      throw Fault(member: "starts", key: "error.mapping_day.soon")
    }
    guard first <= now.secondsSinceEpoch + Self.farthest else {
      throw Fault(member: "starts", key: "error.mapping_day.far")
    }
  }

  /// The moment of a local time. The first of two if the clocks are set back over it.
  private static func moment(
    _ text: String, _ zone: TimeZone, _ member: String
  ) throws(Fault) -> Timestamp {
    let invalid = Fault(member: member, key: "error.mapping_day.time")
    let form = text.utf8.map { (48...57).contains($0) ? UInt8(ascii: "0") : $0 }
    guard form == Array("0000-00-00T00:00".utf8) else { throw invalid }
    let numbers = text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 5, (2_000...2_200).contains(numbers[0]) else { throw invalid }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = DateComponents(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4])
    // A day that does not exist, such as 31 November, and an hour that the clocks skip, are read as others.
    guard let found = calendar.date(from: parts), (1...12).contains(numbers[1]),
      (1...31).contains(numbers[2]), numbers[3] < 24, numbers[4] < 60
    else { throw invalid }
    let fields: Set<Calendar.Component> = [.month, .day, .hour, .minute]
    let read = calendar.dateComponents(fields, from: found)
    guard (read.hour, read.minute) == (parts.hour, parts.minute) else {
      throw Fault(member: member, key: "error.mapping_day.skipped_hour")
    }
    guard (read.month, read.day) == (parts.month, parts.day) else { throw invalid }
    return Timestamp(secondsSinceEpoch: Int64(found.timeIntervalSince1970.rounded()))
  }

  /// The local time of a moment: `2026-10-25T10:00`.
  static func local(_ moment: Timestamp, _ zone: String) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute],
      from: Date(timeIntervalSince1970: Double(moment.secondsSinceEpoch)))
    func two(_ number: Int?) -> String {
      let text = "\(number ?? 0)"
      return text.count < 2 ? "0" + text : text
    }
    return
      "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day))T\(two(parts.hour)):\(two(parts.minute))"
  }
}
