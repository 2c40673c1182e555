private import CICU

/// The character encoding of a text file.
package struct TextEncoding: Hashable, Sendable {
  /// Its name in the register of IANA, or in WHATWG Encoding, in lower case.
  package let name: String

  package static let utf8 = TextEncoding(known: "utf-8")
  package static let windows1252 = TextEncoding(known: "windows-1252")
  package static let utf16LittleEndian = TextEncoding(known: "utf-16le")
  package static let utf16BigEndian = TextEncoding(known: "utf-16be")

  /// The encodings to choose from, by region.
  package static let all: [TextEncoding] = [
    "utf-8", "windows-1252", "iso-8859-1", "iso-8859-15", "macintosh", "ibm850", "ibm437", "ibm865",
    "windows-1250", "iso-8859-2", "ibm852", "x-mac-centraleurroman",
    "windows-1257", "iso-8859-4", "iso-8859-13", "ibm775",
    "windows-1251", "koi8-r", "koi8-u", "ibm866", "iso-8859-5", "x-mac-cyrillic",
    "windows-1253", "iso-8859-7", "ibm737", "x-mac-greek",
    "windows-1254", "iso-8859-9", "ibm857", "x-mac-turkish",
    "windows-1255", "iso-8859-8", "windows-1256", "iso-8859-6", "windows-874", "windows-1258",
    "shift_jis", "euc-jp", "iso-2022-jp", "gb18030", "big5", "big5-hkscs", "euc-kr", "windows-949",
    "utf-16le", "utf-16be",
  ].map(TextEncoding.init(known:))

  private init(known name: String) { self.name = name }

  /// The encoding with a name or an alias of it, such as `latin-1`, `cp1251`, `mac` or `CP949`; nil if none of ``all``
  /// has it.
  package init?(named text: String) {
    let lower = text.lowercased()
    let plain = Self.otherNames[lower] ?? lower
    if let known = Self.all.first(where: { $0.name == plain }) {
      self = known
      return
    }
    guard plain.utf8.count <= 40, plain.utf8.allSatisfy(Self.isOfName),
      let internalName = Self.internalName(plain), let known = Self.byInternalName[internalName]
    else { return nil }
    self = known
  }

  /// Names that ICU gives to another encoding than programs of Microsoft.
  private static let otherNames = ["cp949": "windows-949", "ms949": "windows-949"]

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func internalName(_ alias: String) -> String? {
    icu_internal_name(alias).map { String(cString: $0) }
  }

  private static let byInternalName: [String: TextEncoding] = Dictionary(
    all.compactMap { encoding in internalName(encoding.name).map { ($0, encoding) } },
    uniquingKeysWith: { first, _ in first })

  /// The encoding that a byte order mark of UTF-16 states, or the zeros of a text in it; nil for any other text.
  package init?(markOf head: some Collection<UInt8>) {
    // UTF-32 is not read.
    if head.starts(with: [0xFF, 0xFE, 0, 0]) { return nil }
    if head.starts(with: [0xFF, 0xFE]) {
      self = .utf16LittleEndian
    } else if head.starts(with: [0xFE, 0xFF]) {
      self = .utf16BigEndian
    } else if let found = Self.byZeros(head) {
      self = found
    } else {
      return nil
    }
  }

  /// UTF-16 without a mark: nearly every second byte of a list is zero.
  private static func byZeros(_ head: some Collection<UInt8>) -> TextEncoding? {
    var zeros = (even: 0, odd: 0)
    var count = 0
    for byte in head.prefix(1_024) {
      if byte == 0 { if count.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 } }
      count += 1
    }
    guard count >= 16 else { return nil }
    if zeros.odd * 10 >= count * 3, zeros.even == 0 { return .utf16LittleEndian }
    return zeros.even * 10 >= count * 3 && zeros.odd == 0 ? .utf16BigEndian : nil
  }

  /// The text of whole bytes. Invalid bytes become U+FFFD.
  package func text(_ bytes: some Sequence<UInt8>) -> String {
    guard self != .utf8 else { return String(decoding: Array(bytes), as: UTF8.self) }
    var text: [UInt8] = []
    var transcoder = Transcoder(from: self)
    Array(bytes).withUnsafeBufferPointer { bytes in
      transcoder.convert(bytes, isLast: true) { text.append(contentsOf: $0) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Converts a text to UTF-8, piece by piece. A character may begin in one piece and end in the next.
package struct Transcoder: ~Copyable {
  /// Nil if there is no memory.
  private let transcoder: OpaquePointer?
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  package init(from encoding: TextEncoding) {
    transcoder = icu_transcoder_open(encoding.name)
  }

  deinit { icu_transcoder_close(transcoder) }

  /// Passes on the text of a piece, in pieces. Invalid bytes become U+FFFD.
  package mutating func convert(
    _ piece: UnsafeBufferPointer<UInt8>, isLast: Bool,
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) rethrows {
    try piece.withMemoryRebound(to: CChar.self) { piece in
      var source = piece.baseAddress
      let limit = piece.baseAddress.map { $0 + piece.count }
      var more: Int32 = 1
      while more == 1 {
        let count = buffer.withUnsafeMutableBytes { buffer in
          icu_transcode(
            transcoder, &source, limit, buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
            Int32(buffer.count), isLast ? 1 : 0, &more)
        }
        guard count > 0 else { return }
        try buffer.withUnsafeBufferPointer {
          try body(UnsafeBufferPointer(rebasing: $0.prefix(Int(count))))
        }
      }
    }
  }
}
