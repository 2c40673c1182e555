/// HEIF files that repeat one small picture as many tiles (ISO/IEC 23008-12, section 6.6.2.3).
struct HEIFGrid {
  var columns, rows: Int
  /// Pixels of the small picture.
  var tile: (width: Int, height: Int)
  /// Declared size of the whole picture in pixels.
  var size: (width: Int, height: Int)

  /// A HEIF file with one picture and no other content, as libvips writes it.
  func file(of still: [UInt8]) -> [UInt8] {
    let decoder = Self.find("hvcC", in: still).map { Self.box("hvcC", $0) } ?? []
    let data = Self.find("mdat", in: still) ?? []
    let count = columns * rows
    let grid: [UInt8] =
      [0, 1, UInt8(rows - 1), UInt8(columns - 1)] + four(size.width) + four(size.height)
    let properties =
      decoder + Self.full("ispe", four(tile.width) + four(tile.height))
      + Self.full("ispe", four(size.width) + four(size.height))
    var (infos, reference, uses) = ([UInt8](), [UInt8](), [UInt8]())
    for item in 1...count {
      infos += Self.full("infe", two(item) + two(0) + Array("hvc1\0".utf8), version: 2)
      reference += two(item)
      uses += two(item) + [2, 0x81, 2]
    }
    infos += Self.full("infe", two(count + 1) + two(0) + Array("grid\0".utf8), version: 2)
    uses += two(count + 1) + [1, 3]
    let tail =
      Self.full("iinf", two(count + 1) + infos)
      + Self.box(
        "iprp", Self.box("ipco", properties) + Self.full("ipma", four(count + 1) + uses))
      + Self.full("iref", Self.box("dimg", two(count + 1) + two(count) + reference))
    func meta(_ start: Int) -> [UInt8] {
      var places: [UInt8] = [0x44, 0] + two(count + 1)
      for item in 1...count {
        places += two(item) + two(0) + two(0) + two(1) + four(start) + four(data.count)
      }
      places += two(count + 1) + two(0) + two(0) + two(1) + four(start + data.count)
      places += four(grid.count)
      let handler = four(0) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
      return Self.full(
        "meta",
        Self.full("hdlr", handler) + Self.full("pitm", two(count + 1))
          + Self.full("iloc", places, version: 1) + tail)
    }
    let head = Self.box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
    let start = head.count + meta(0).count + 8
    return head + meta(start) + Self.box("mdat", data + grid)
  }

  /// The content of the first box of this name, at any position.
  private static func find(_ name: String, in file: [UInt8]) -> [UInt8]? {
    let wanted = Array(name.utf8)
    guard
      let place = file.indices.dropLast(8).first(where: {
        file[$0 + 4..<$0 + 8].elementsEqual(wanted)
      })
    else { return nil }
    let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    return Array(file[place + 8..<min(place + length, file.count)])
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    PNGFile.four(content.count + 8) + Array(name.utf8) + content
  }

  private static func full(_ name: String, _ content: [UInt8], version: UInt8 = 0) -> [UInt8] {
    box(name, [version, 0, 0, 0] + content)
  }

  private func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] }
  private func four(_ number: Int) -> [UInt8] { PNGFile.four(number) }
}
