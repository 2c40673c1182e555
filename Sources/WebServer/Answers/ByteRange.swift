/// The Range header of a request (RFC 9110 §14.2): one range of bytes, or none that applies.
enum ByteRange: Equatable {
  /// Sent as 206.
  case part(Range<Int>)
  /// Lies outside the body: 416.
  case unsatisfiable
  /// Several ranges, another unit or invalid syntax: the whole body is sent.
  case ignored

  /// Reads the field's value, for a body of `length` bytes.
  init(_ text: String, length: Int) {
    guard text.hasPrefix("bytes=") else {
      self = .ignored
      return
    }
    let ends = text.dropFirst(6).trimmed
      .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, let from = Self.number(ends[0]), let to = Self.number(ends[1]) else {
      self = .ignored
      return
    }
    switch (from, to) {
    case (.none, .none):
      self = .ignored
    case (.none, .some(let suffix)):
      self =
        suffix == 0 || length == 0
        ? .unsatisfiable : .part(max(0, length - suffix)..<length)
    case (.some(let first), .none):
      self = first < length ? .part(first..<length) : .unsatisfiable
    case (.some(let first), .some(let last)):
      guard first <= last else {
        self = .ignored
        return
      }
      self = first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
    }
  }

  /// Nil if the text is not a number, `.some(nil)` if it is empty. Numbers that are too large are
  /// clamped.
  private static func number(_ text: Substring) -> Int?? {
    var value = 0
    for byte in text.utf8 {
      guard byte >= 48, byte <= 57 else { return nil }
      value = min(value, Int.max / 100) * 10 + Int(byte - 48)
    }
    return .some(text.isEmpty ? nil : value)
  }
}
