/// The text of calendar files (RFC 5545).
package enum ICalendar {
  /// Converts `2026-11-21T12:00:00Z` to `20261121T120000Z`.
  package static func digits(_ text: String) -> String {
    text.filter { $0 != "-" && $0 != ":" }
  }

  /// Escapes backslash, semicolon, comma and line ends (§3.3.11).
  package static func escaped(_ text: String) -> String {
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

  /// Folds lines to at most 75 octets; continuation lines begin with a space (§3.1). Cut between Unicode scalars,
  /// because one character may have any number of combining marks.
  package static func folded(_ line: String) -> String {
    var result = ""
    var width = 0
    for scalar in line.unicodeScalars {
      let size = UTF8.width(scalar)
      if width + size > 74, width > 1 {
        result += "\r\n "
        width = 1
      }
      result.unicodeScalars.append(scalar)
      width += size
    }
    return result
  }
}
