/// Splits a text into lines, or into the records of a text sequence (RFC 8142), piece by piece.
struct LineSplitter {
  private let separator: UInt8
  private let limit: Int
  private var buffer: [UInt8] = []
  private var line = 1
  private var recordLine = 1
  private(set) var count = 0

  /// - Parameters:
  ///   - separator: a line feed, or 0x1E, which precedes each record of a sequence.
  ///   - limit: maximum length of a record in bytes, 16 MiB. A longer record is an error.
  init(separator: UInt8, limit: Int = 16 << 20) {
    self.separator = separator
    self.limit = limit
  }

  mutating func take(
    _ piece: UnsafeBufferPointer<UInt8>, _ body: ([UInt8], Int) throws -> Void
  ) throws {
    var start = 0
    for position in piece.indices {
      let byte = piece[position]
      if byte == UInt8(ascii: "\n") { line += 1 }
      guard byte == separator else { continue }
      try append(piece[start..<position])
      try end(body)
      start = position + 1
    }
    try append(piece[start...])
  }

  mutating func finish(_ body: ([UInt8], Int) throws -> Void) throws {
    try end(body)
  }

  private mutating func append(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws {
    guard buffer.count + bytes.count <= limit else {
      throw ImportFailure("a row larger than \(limit) bytes", row: count + 1, line: recordLine)
    }
    buffer.append(contentsOf: bytes)
  }

  private mutating func end(_ body: ([UInt8], Int) throws -> Void) throws {
    defer {
      buffer.removeAll(keepingCapacity: true)
      recordLine = line
    }
    if buffer.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) { return }
    count += 1
    try body(buffer, recordLine)
  }
}
