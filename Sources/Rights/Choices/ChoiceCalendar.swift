import PrivacyMap
import Service

/// Deadlines as a calendar file (RFC 5545).
struct ChoiceCalendar {
  /// One deadline, as a full-day event.
  struct Entry {
    let id: String
    let day: Day
    let title: String
    let text: String
    let url: String
    let changedAt: String
  }

  let name: String
  let entries: [Entry]

  var text: String {
    var lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Farol//Choices//EN", "CALSCALE:GREGORIAN",
      "METHOD:PUBLISH", "X-WR-CALNAME:\(ICalendar.escaped(name))",
    ]
    for entry in entries {
      lines += [
        "BEGIN:VEVENT", "UID:\(entry.id)@farol", "DTSTAMP:\(ICalendar.digits(entry.changedAt))",
        "DTSTART;VALUE=DATE:\(ICalendar.digits(entry.day.text))",
        "DTEND;VALUE=DATE:\(ICalendar.digits(entry.day.adding(days: 1).text))",
        "SUMMARY:\(ICalendar.escaped(entry.title))", "DESCRIPTION:\(ICalendar.escaped(entry.text))",
        "URL:\(entry.url)", "TRANSP:TRANSPARENT", "END:VEVENT",
      ]
    }
    lines.append("END:VCALENDAR")
    return lines.map(ICalendar.folded).joined(separator: "\r\n") + "\r\n"
  }
}
