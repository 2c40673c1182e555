/// The rows of a table: their number and a checksum, which is equal for equal rows on both engines.
package struct TableSum: Equatable, Sendable {
  /// The SHA-256 of some bytes.
  package typealias Digest = (_ bytes: [UInt8]) -> [UInt8]

  /// The name of the table.
  package let table: String
  /// The number of rows.
  package private(set) var rows = 0
  /// The sums of the four parts of the digests of all rows, modulo 2^64: the order of the rows has no influence.
  private var parts: [UInt64] = [0, 0, 0, 0]

  init(table: String) { self.table = table }

  /// The sum of the first parts, as 16 hexadecimal digits.
  package var checksum: String {
    let digits = String(parts.first ?? 0, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  mutating func add(_ values: [SQLValue], _ digest: Digest) {
    rows += 1
    digest(Self.bytes(of: values)).withUnsafeBytes { bytes in
      for place in parts.indices where place * 8 + 8 <= bytes.count {
        parts[place] &+= UInt64(
          bigEndian: bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
      }
    }
  }

  /// The values of a row, each with its type and its length, so that different rows give different bytes.
  private static func bytes(of values: [SQLValue]) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ type: Unicode.Scalar, _ content: some Collection<UInt8>) {
      bytes.append(UInt8(ascii: type))
      add(UInt64(content.count))
      bytes += content
    }
    func add(_ number: UInt64) { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }
    for value in values {
      switch value {
      case .null: bytes.append(UInt8(ascii: "n"))
      case .integer(let number):
        bytes.append(UInt8(ascii: "i"))
        add(UInt64(bitPattern: number))
      case .real(let number):
        bytes.append(UInt8(ascii: "r"))
        add(number.bitPattern)
      case .text(let text): add("t", text.utf8)
      case .blob(let content): add("b", content)
      }
    }
    return bytes
  }
}
