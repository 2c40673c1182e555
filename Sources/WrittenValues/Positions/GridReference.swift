import PrivacyMap

/// Positions as references of a grid: UTM with its zone (`29S 487000 4289000`), MGRS (`29SMC8700089000`), and the national
/// grids of Great Britain (`TQ 30163 80395`) and Ireland (`O 15904 34671`).
enum GridReference {
  /// The position in the coordinate system of the grid; nil for any other text. A square is its middle.
  static func position(_ text: String) -> WrittenPosition? {
    guard text.utf8.count <= 40, text.utf8.contains(where: { (0x30...0x39).contains($0) }) else {
      return nil
    }
    let letters = Array(text.uppercased().utf8)
    return utm(letters) ?? mgrs(letters) ?? britain(letters) ?? ireland(letters)
  }

  // MARK: UTM

  /// The bands of eight degrees from 80° south, and the northing in kilometres below which no part of a band is, in its
  /// half of the Earth (NGA, MGRS, table of latitude bands).
  private static let bands = Array("CDEFGHJKLMNPQRSTUVWX".utf8)
  private static let southEdges = [
    1_100, 2_000, 2_800, 3_700, 4_600, 5_500, 6_400, 7_300, 8_200, 9_100,
    0, 800, 1_700, 2_600, 3_500, 4_400, 5_300, 6_200, 7_000, 7_900,
  ]

  private static func utm(_ letters: [UInt8]) -> WrittenPosition? {
    // Units and directions behind the numbers: “487000mE 4289000mN”.
    var words = String(decoding: letters, as: UTF8.self).split { " ,;/".contains($0) }
    if words.first == "UTM" { words.removeFirst() }
    if words.first == "ZONE" { words.removeFirst() }
    guard let (zone, letter) = zone(&words) else { return nil }
    let numbers = words.filter { !["E", "N", "M", "ME", "MN"].contains($0) }.map { word in
      PlainNumber.read(word.prefix { $0.isNumber || $0 == "." })
    }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1],
      (100_000...900_000).contains(x), (0...10_000_000).contains(y),
      words.allSatisfy({ word in
        ["", "E", "N", "M", "ME", "MN"].contains(word.drop { $0.isNumber || $0 == "." })
      }), let band = bands.firstIndex(of: letter)
    else { return nil }
    // “S” is a band north of the equator, or the southern half.
    let edge = Double(southEdges[band]) * 1_000
    let isInBand =
      y >= edge - 100_000 && y < edge + (letter == UInt8(ascii: "X") ? 1_500_000 : 1_000_000)
    let isHalf = letter == UInt8(ascii: "N") || letter == UInt8(ascii: "S")
    guard isInBand || isHalf else { return nil }
    let isSouth = letter == UInt8(ascii: "S") ? !isInBand : band < 10
    return WrittenPosition(
      first: x, second: y, order: .longitudeFirst, numbers: .system(system(zone, isSouth: isSouth)))
  }

  /// Takes the number of the zone and the letter of the band, written together or separately.
  private static func zone(_ words: inout [Substring]) -> (zone: Int, letter: UInt8)? {
    guard let first = words.first, let zone = Int(first.prefix { $0.isNumber }),
      (1...60).contains(zone), first.count <= 3
    else { return nil }
    words.removeFirst()
    var rest = first.drop { $0.isNumber }
    if rest.isEmpty {
      guard let next = words.first else { return nil }
      rest = next
      words.removeFirst()
    }
    guard rest.utf8.count == 1, let letter = rest.utf8.first else { return nil }
    return (zone, letter)
  }

  private static func system(_ zone: Int, isSouth: Bool) -> String {
    "EPSG:\((isSouth ? 32_700 : 32_600) + zone)"
  }

  // MARK: MGRS

  /// Letters without I and O.
  private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)

  private static func mgrs(_ letters: [UInt8]) -> WrittenPosition? {
    let plain = letters.filter { $0 != 0x20 }
    let number = plain.prefix { (0x30...0x39).contains($0) }
    let rest = plain.dropFirst(number.count)
    guard (1...2).contains(number.count), let zone = Int(String(decoding: number, as: UTF8.self)),
      (1...60).contains(zone), rest.count >= 5,
      let band = bands.firstIndex(of: rest[rest.startIndex]),
      let column = alphabet.firstIndex(of: rest[rest.startIndex + 1]),
      let row = alphabet.firstIndex(of: rest[rest.startIndex + 2]), row < 20,
      let square = square(rest.dropFirst(3))
    else { return nil }
    // Three zones share the 24 letters of the columns; every second zone begins its rows with F.
    let east = column - (zone - 1) % 3 * 8
    guard (0..<8).contains(east) else { return nil }
    let south = Double(southEdges[band]) * 1_000
    var north = Double((row + (zone.isMultiple(of: 2) ? 15 : 0)) % 20) * 100_000
    while north + 100_000 <= south { north += 2_000_000 }
    guard north < south + (band == 19 ? 1_500_000 : 1_000_000) else { return nil }
    return WrittenPosition(
      first: Double(east + 1) * 100_000 + square.x, second: north + square.y,
      order: .longitudeFirst, numbers: .system(system(zone, isSouth: band < 10)),
      precision: square.precision)
  }

  // MARK: Great Britain

  private static func britain(_ letters: [UInt8]) -> WrittenPosition? {
    let places = letters.prefix(2).compactMap { letter in
      letter == UInt8(ascii: "I")
        ? nil : Int(exactly: letter).map { $0 - 65 - ($0 > 72 ? 1 : 0) }
    }
    guard places.count == 2, places.allSatisfy({ (0..<25).contains($0) }),
      let square = square(letters.dropFirst(2).filter { $0 != 0x20 }[...])
    else { return nil }
    // Squares of 500 km, divided into squares of 100 km, each named from the north-west to the south-east.
    let east = (places[0] + 3) % 5 * 5 + places[1] % 5
    let north = 19 - places[0] / 5 * 5 - places[1] / 5
    guard (0..<7).contains(east), (0..<13).contains(north), square.size <= 1_000 else { return nil }
    return WrittenPosition(
      first: Double(east) * 100_000 + square.x, second: Double(north) * 100_000 + square.y,
      order: .longitudeFirst, numbers: .system("EPSG:27700"), precision: square.precision)
  }

  // MARK: Ireland

  /// One square of 500 km, with 25 letters from the north-west to the south-east. Fewer than three digits for each
  /// direction are more often the number of a thing.
  private static func ireland(_ letters: [UInt8]) -> WrittenPosition? {
    guard let first = letters.first, (0x41...0x5A).contains(first), first != UInt8(ascii: "I"),
      let square = square(letters.dropFirst().filter { $0 != 0x20 }[...]), square.size <= 100
    else { return nil }
    let place = Int(first) - 0x41 - (first > UInt8(ascii: "I") ? 1 : 0)
    return WrittenPosition(
      first: Double(place % 5) * 100_000 + square.x,
      second: Double(4 - place / 5) * 100_000 + square.y, order: .longitudeFirst,
      numbers: .system("EPSG:29903"), precision: square.precision)
  }

  // MARK: Squares

  /// The middle of a square inside one of 100 km, named by as many digits for its easting as for its northing.
  private static func square(
    _ digits: ArraySlice<UInt8>
  ) -> (x: Double, y: Double, size: Double, precision: Precision?)? {
    guard (2...10).contains(digits.count), digits.count.isMultiple(of: 2),
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let half = digits.count / 2
    let value = { (part: ArraySlice<UInt8>) in part.reduce(0.0) { $0 * 10 + Double($1 - 0x30) } }
    var size = 100_000.0
    for _ in 0..<half { size /= 10 }
    let precision: Precision? =
      switch half {
      case 4...: nil
      case 3: .hundredMetres
      case 2: .kilometre
      default: .area
      }
    // A square of a metre is a point, given by its corner.
    let middle = size > 1 ? size / 2 : 0
    return (
      value(digits.prefix(half)) * size + middle, value(digits.dropFirst(half)) * size + middle,
      size, precision
    )
  }
}
