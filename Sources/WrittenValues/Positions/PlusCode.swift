/// Full codes of Open Location Code, known as plus codes: `8FR8QGXV+2C`.
enum PlusCode {
  private static let digits = Array("23456789CFGHJMPQRVWX".utf8)

  /// The middle of the code's area, at most 14 metres large; nil for any other text, and for short codes, which need
  /// the name of a town.
  static func position(_ text: String) -> WrittenPosition? {
    let letters = Array(text.uppercased().utf8)
    guard (11...16).contains(letters.count), letters[8] == UInt8(ascii: "+") else { return nil }
    var numbers: [Int] = []
    for letter in letters where letter != UInt8(ascii: "+") {
      guard let number = digits.firstIndex(of: letter) else { return nil }
      numbers.append(number)
    }
    guard numbers.count == letters.count - 1, numbers.count >= 10, numbers[0] < 9, numbers[1] < 18
    else { return nil }
    var (latitude, longitude) = (-90.0, -180.0)
    var (height, width) = (400.0, 400.0)
    for place in stride(from: 0, to: 10, by: 2) {
      (height, width) = (height / 20, width / 20)
      latitude += Double(numbers[place]) * height
      longitude += Double(numbers[place + 1]) * width
    }
    // Further digits divide the area into five rows and four columns.
    for number in numbers[10...] {
      (height, width) = (height / 5, width / 4)
      latitude += Double(number / 4) * height
      longitude += Double(number % 4) * width
    }
    return WrittenPosition(
      first: latitude + height / 2, second: longitude + width / 2, order: .latitudeFirst,
      numbers: .degrees)
  }
}
