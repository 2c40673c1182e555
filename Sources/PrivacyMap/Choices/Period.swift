/// The length of a legal time limit, in whole months or whole days.
package enum Period: Hashable, Sendable {
  case months(Int)
  case days(Int)

  /// The largest accepted number, in either unit: ten years of days.
  private static let maximum = 3_660

  /// Reads `P1M` or `P30D` (ISO 8601). The number must be at least 1.
  package init?(text: some StringProtocol) {
    let bytes = Array(text.utf8.prefix(8))
    guard bytes.count >= 3, bytes.count < 8, bytes.first == UInt8(ascii: "P"),
      let number = Digits.number(bytes[1..<(bytes.count - 1)], upTo: Self.maximum), number > 0
    else { return nil }
    switch bytes.last {
    case UInt8(ascii: "M"): self = .months(number)
    case UInt8(ascii: "D"): self = .days(number)
    default: return nil
    }
  }

  /// ISO 8601: `P1M`.
  package var text: String {
    switch self {
    case .months(let count): "P\(count)M"
    case .days(let count): "P\(count)D"
    }
  }

  /// The sum of both periods. Nil if one counts months and the other days.
  package func adding(_ other: Period) -> Period? {
    switch (self, other) {
    case (.months(let left), .months(let right)): .months(left + right)
    case (.days(let left), .days(let right)): .days(left + right)
    default: nil
    }
  }
}
