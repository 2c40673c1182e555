import PrivacyMap

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
      "METHOD:PUBLISH", "X-WR-CALNAME:\(Self.escaped(name))",
    ]
    for entry in entries {
      lines += [
        "BEGIN:VEVENT", "UID:\(entry.id)@farol", "DTSTAMP:\(Self.digits(entry.changedAt))",
        "DTSTART;VALUE=DATE:\(Self.digits(entry.day.text))",
        "DTEND;VALUE=DATE:\(Self.digits(entry.day.adding(days: 1).text))",
        "SUMMARY:\(Self.escaped(entry.title))", "DESCRIPTION:\(Self.escaped(entry.text))",
        "URL:\(entry.url)", "TRANSP:TRANSPARENT", "END:VEVENT",
      ]
    }
    lines.append("END:VCALENDAR")
    return lines.map(Self.folded).joined(separator: "\r\n") + "\r\n"
  }

  /// Converts `2026-11-21T12:00:00Z` to `20261121T120000Z`.
  private static func digits(_ text: String) -> String {
    text.filter { $0 != "-" && $0 != ":" }
  }

  /// Escapes backslash, semicolon, comma and line ends (§3.3.11).
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": result += "\\\(Character(scalar))"
      case "\n": result += "\\n"
      case "\r": continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Folds lines to at most 75 octets; continuation lines begin with a space (§3.1).
  private static func folded(_ line: String) -> String {
    var result = ""
    var width = 0
    for character in line {
      let size = String(character).utf8.count
      if width + size > 74, width > 1 {
        result += "\r\n "
        width = 1
      }
      result.append(character)
      width += size
    }
    return result
  }
}
