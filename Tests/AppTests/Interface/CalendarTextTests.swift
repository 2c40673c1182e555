import Foundation
import Service
import Testing

/// Lines of calendar files (RFC 5545).
@Suite struct CalendarTextTests {
  @Test(arguments: [
    "SUMMARY:short", String(repeating: "a", count: 400), String(repeating: "東京", count: 90),
    // One character for people, and two thousand octets for a calendar.
    "SUMMARY:e" + String(repeating: "\u{301}", count: 1_000), String(repeating: "👩‍👩‍👧‍👦", count: 40),
  ])
  func `no line is longer than 75 octets, and unfolding restores it`(line: String) {
    let folded = ICalendar.folded(line)
    for part in folded.split(separator: "\r\n") { #expect(part.utf8.count <= 75) }
    // Not by characters: the space and the mark after it are one.
    let unfolded = folded.replacingOccurrences(of: "\r\n ", with: "", options: .literal)
    #expect(unfolded.unicodeScalars.elementsEqual(line.unicodeScalars))
  }
}
