/// The conversion of luma (Y) and two colour differences (Cb, Cr) to red, green and blue, by the
/// code of ITU-T H.273, table 4 and section 8.3.
struct ColourMixture {
  /// The factor and then the summand of each plane. Y includes half a step, because the result is
  /// truncated and not rounded.
  let factors, summands: [Double]
  /// Rows of red, green and blue; columns of Y, Cb and Cr.
  let matrix: [Double]

  /// For planes that are already red, green and blue.
  static let identity = ColourMixture(
    factors: [1, 1, 1], summands: [0.5, 0.5, 0.5], matrix: [1, 0, 0, 0, 1, 0, 0, 0, 1])

  private init(factors: [Double], summands: [Double], matrix: [Double]) {
    self.factors = factors
    self.summands = summands
    self.matrix = matrix
  }

  /// - Returns: nil for codes of other conversions.
  init?(code: UInt32, isFullRange: Bool) {
    let red, blue: Double
    switch code {
    case 1: (red, blue) = (0.2126, 0.0722)
    case 2, 5, 6: (red, blue) = (0.299, 0.114)  // 2 is "unspecified"; cameras then mean this
    case 4: (red, blue) = (0.30, 0.11)
    case 7: (red, blue) = (0.212, 0.087)
    case 9: (red, blue) = (0.2627, 0.0593)
    default: return nil
    }
    let green = 1 - red - blue
    let (bright, colour) = isFullRange ? (1, 1) : (255.0 / 219, 255.0 / 224)
    factors = [bright, colour, colour]
    summands = [(isFullRange ? 0 : -16 * bright) + 0.5, -128 * colour, -128 * colour]
    matrix = [
      1, 0, 2 * (1 - red),
      1, -2 * (1 - blue) * blue / green, -2 * (1 - red) * red / green,
      1, 2 * (1 - blue), 0,
    ]
  }
}
