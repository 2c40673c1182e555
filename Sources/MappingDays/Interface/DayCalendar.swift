import PrivacyMap
import Service

/// A mapping day as a calendar file (RFC 5545). Times are in UTC, so no change of the clocks moves them.
struct DayCalendar {
  let day: MappingDay
  /// The address of its page.
  let url: String

  var text: String {
    let plan = day.plan
    var lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Farol//Mapping days//EN", "CALSCALE:GREGORIAN",
      "METHOD:PUBLISH", "BEGIN:VEVENT", "UID:\(day.id)@farol",
      "DTSTAMP:\(ICalendar.digits(day.changedAt))", "DTSTART:\(ICalendar.digits(plan.start.text))",
      "DTEND:\(ICalendar.digits(plan.end.text))", "SUMMARY:\(ICalendar.escaped(plan.title))",
      "DESCRIPTION:\(ICalendar.escaped(plan.purpose))", "URL:\(url)",
      "STATUS:\(day.state == .cancelled ? "CANCELLED" : "CONFIRMED")",
    ]
    if let meeting = plan.meeting {
      lines.append("GEO:\(meeting.point.latitude);\(meeting.point.longitude)")
      if let words = meeting.words { lines.append("LOCATION:\(ICalendar.escaped(words))") }
    }
    lines += ["END:VEVENT", "END:VCALENDAR"]
    return lines.map(ICalendar.folded).joined(separator: "\r\n") + "\r\n"
  }
}
