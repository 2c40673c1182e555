/// The bytes that pairs of hexadecimal digits write.
func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { place in
    UInt8(digits[place] << 4 | digits[place + 1])
  }
}
