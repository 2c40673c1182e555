/// Degrees with their minutes, and seconds, in one number: `4807.038` and `480702` for 48° 7' 2".
package enum PackedDegrees: String, CaseIterable {
  /// `ddmm.mmmm`, as receivers write it (NMEA 0183).
  case minutes = "degrees_minutes"
  /// `ddmmss.s`, as aviation writes it (ICAO Annex 15).
  case seconds = "degrees_minutes_seconds"

  /// The degrees; nil if the minutes or the seconds are 60 or more.
  package func degrees(_ number: Double) -> Double? {
    var size = abs(number)
    var degrees = 0.0
    var share = 60.0
    // From the smallest part: seconds, then minutes.
    for _ in 0..<(self == .seconds ? 2 : 1) {
      let whole = (size / 100).rounded(.down)
      let part = size - whole * 100
      guard part < 60 else { return nil }
      degrees = (degrees + part) / share
      size = whole
      share = 60
    }
    degrees += size
    return number < 0 ? -degrees : degrees
  }

  /// The form of a number with a letter, by the fixed width of its whole digits; nil for degrees.
  ///
  /// A latitude has two digits of degrees and a longitude three, also if they are zero, so `0052.386 N` is not 52.386.
  package static func ofWidth(_ digits: Int, isUpright: Bool) -> PackedDegrees? {
    switch digits {
    case isUpright ? 4 : 5: .minutes
    case isUpright ? 6 : 7: .seconds
    default: nil
    }
  }
}
