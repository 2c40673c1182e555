/// The numbers of enum cases in the index.
package enum IndexNumber {
  /// The position of a case among all cases.
  package static func of<Case: CaseIterable & Equatable>(_ value: Case) -> UInt8 {
    let place = Case.allCases.enumerated().first { $0.element == value }?.offset ?? 0
    return UInt8(clamping: place)
  }

  /// The position of a case among all cases, counted from 1; 0 is unknown.
  package static func of(_ value: Setting?) -> UInt8 { value.map { of($0) + 1 } ?? 0 }

  /// Days since 2000-01-01, which is day 10,957 since 1970; 0 is unknown.
  package static func of(_ day: Day) -> UInt16 {
    UInt16(clamping: max(1, day.daysSinceEpoch - 10_957))
  }

  /// The day with a number.
  package static func day(_ number: UInt16) -> Day { Day(daysSinceEpoch: Int32(number) + 10_957) }
}
