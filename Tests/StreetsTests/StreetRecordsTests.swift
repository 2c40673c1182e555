import Import
import Testing

@testable import Streets

@Suite struct StreetRecordsTests {
  private func word(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
  }

  private var whole: [UInt8] {
    let tags = Array("highway\0path\0".utf8)
    return Array("N".utf8) + word(1) + word(13) + Array("barrier\0gate\0".utf8).prefix(13)
      + Array("P".utf8) + word(2) + word(10) + word(20) + word(30) + word(.max)
      + Array("W".utf8) + word(2) + word(UInt32(tags.count)) + word(0) + word(1) + tags
      + Array("E".utf8)
  }

  /// The records in pieces of a size, as short texts.
  private func read(_ bytes: [UInt8], by size: Int) throws -> [String] {
    var records = StreetRecords()
    var found: [String] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      try Array(rest.prefix(size)).withUnsafeBufferPointer { piece in
        try records.read(piece) { record in
          switch record {
          case .node(let number, let tags): found.append("node \(number) \(tags)")
          case .places(let places): found.append("places \(places)")
          case .way(let nodes, let tags): found.append("way \(nodes) \(tags)")
          }
        }
      }
      rest = rest.dropFirst(size)
    }
    try records.finish()
    return found
  }

  @Test(arguments: [1, 2, 7, 1_000]) func `records are the same in pieces of any size`(_ size: Int)
    throws
  {
    #expect(
      try read(whole, by: size) == [
        #"node 1 ["barrier": "gate"]"#,
        "places [(longitude: 10, latitude: 20), (longitude: 30, latitude: -1)]",
        #"way [0, 1] ["highway": "path"]"#,
      ])
  }

  @Test func `every output that is cut off is refused`() {
    for length in 0..<whole.count {
      #expect(throws: ImportFailure.self) { try read(Array(whole.prefix(length)), by: 64) }
    }
  }

  @Test func `bytes after the end and unknown records are refused`() {
    #expect(throws: ImportFailure.self) { try read(whole + Array("E".utf8), by: 64) }
    #expect(throws: ImportFailure.self) { try read(Array("X".utf8) + whole, by: 64) }
  }

  @Test func `counts above the limits are refused at once`() {
    for kind in ["P", "W"] {
      #expect(throws: ImportFailure.self) {
        try read(Array(kind.utf8) + word(100_001) + word(0), by: 64)
      }
    }
    #expect(throws: ImportFailure.self) {
      try read(Array("N".utf8) + word(0) + word(1 << 20 + 1), by: 64)
    }
  }

  @Test func `a key without a value is refused`() {
    let bytes = Array("N".utf8) + word(0) + word(8) + Array("barrier\0".utf8) + Array("E".utf8)
    #expect(throws: ImportFailure.self) { try read(bytes, by: 64) }
  }
}
