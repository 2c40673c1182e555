import Foundation
import Glibc
import Logging
@testable import Pictures
@testable import Service
import Spawning
import Testing
import WebServer

/// Every frame that the image program could send if a picture controlled it: only a complete frame
/// is accepted, and the server continues.
@Suite final class ImageFrameTests {
  private let folder: URL
  private let log = TestLog()

  init() throws { folder = try TestFolder.make() }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The bytes between the length and the pictures, and the pictures.
  private static let jpeg = TestPicture.red
  private static let count = jpeg.count

  private static func picture(
    width: String = "64", height: String = "48", bytes: String = "\(count)"
  ) -> String { #"{"width":\#(width),"height":\#(height),"bytes":\#(bytes)}"# }

  private static func head(
    type: String = #""image/jpeg""#, large: String = picture(), thumb: String = picture()
  ) -> String { #"{"type":\#(type),"large":\#(large),"thumb":\#(thumb)}"# }

  private static func frame(
    _ head: String = head(), length: Int? = nil, pictures: [UInt8] = jpeg + jpeg
  ) -> [UInt8] { frame(Array(head.utf8), length: length, pictures: pictures) }

  private static func frame(
    _ head: [UInt8], length: Int? = nil, pictures: [UInt8] = jpeg + jpeg
  ) -> [UInt8] {
    let length = UInt32(truncatingIfNeeded: length ?? head.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + head + pictures
  }

  /// Frames whose length or pictures do not match.
  private static let misfits: [(String, [UInt8])] = [
    ("nothing", []), ("one byte", [0]), ("a length cut short", [0, 0, 1]),
    ("a length alone", [0, 0, 0, 9]), ("a length of nothing", [0, 0, 0, 0]),
    ("a length of nothing and a byte", [0, 0, 0, 0, 0]),
    ("the largest length", frame(length: 0xFFFF_FFFF)),
    ("a length below zero", frame(length: -1)), ("half of what there is", frame(length: 40)),
    ("the length, backwards", frame(length: head().utf8.count << 24)),
    ("a length one too small", frame(length: head().utf8.count - 1)),
    ("a length one too large", frame(length: head().utf8.count + 1)),
    ("a length of all there is", frame(length: head().utf8.count + 2 * count)),
    ("a header and nothing more", frame(pictures: [])),
    ("a header and one byte", frame(pictures: [0xFF])),
    ("the large picture alone", frame(pictures: jpeg)),
    ("a byte too few", frame(pictures: (jpeg + jpeg).dropLast())),
    ("a byte too many", frame(pictures: jpeg + jpeg + [0])),
    ("a byte between the pictures", frame(pictures: jpeg + [0] + jpeg)),
    ("a byte before the frame", [0] + frame()), ("a frame and another", frame() + frame()),
    ("a megabyte behind the frame", frame() + [UInt8](repeating: 7, count: 1 << 20)),
    ("pictures that are none", frame(pictures: [UInt8](repeating: 0x3C, count: 2 * count))),
    ("a picture without an end", frame(pictures: jpeg.dropLast(2) + [0, 0] + jpeg)),
    ("a thumbnail without an end", frame(pictures: jpeg + jpeg.dropLast(2) + [0, 0])),
    ("chance", (0..<4_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }),
    ("zeros", [UInt8](repeating: 0, count: 100_000)),
    ("17 MB", frame(pictures: [UInt8](repeating: 0xFF, count: 17 << 20))),
  ]

  /// Dimensions that no picture has.
  private static let wrongNumbers = [
    "0", "-1", "1.5", "-9223372036854775808", "9223372036854775807", "9223372036854775808",
    "18446744073709551616", "1e308", "1e400", "-1e400", "2147483648", "4294967296", "null", "true",
    "\"64\"", "[64]", "{}", "NaN", "",
  ]

  /// Invalid headers.
  private static let heads: [(String, [UInt8])] =
    wrongNumbers.flatMap { number in
      [
        ("width \(number)", frame(head(large: picture(width: number)))),
        ("height \(number)", frame(head(thumb: picture(height: number)))),
        ("bytes \(number)", frame(head(large: picture(bytes: number)))),
        ("bytes of the thumbnail \(number)", frame(head(thumb: picture(bytes: number)))),
      ]
    } + [
      ("larger than was asked for", frame(head(large: picture(width: "2049")))),
      ("a thumbnail larger than was asked for", frame(head(thumb: picture(height: "481")))),
      (
        "counts that overflow",
        frame(
          head(
            large: picture(bytes: "\(Int.max)"), thumb: picture(bytes: "\(2 * count - Int.max)")))
      ),
      (
        "counts shifted by one",
        frame(
          head(large: picture(bytes: "\(count + 1)"), thumb: picture(bytes: "\(count - 1)")))
      ),
      (
        "all in one",
        frame(
          head(large: picture(bytes: "\(2 * count)"), thumb: picture(bytes: "0")))
      ),
      ("another type", frame(head(type: #""text/html""#))),
      ("no type", frame(head(type: "null"))),
      ("a picture missing", frame(#"{"type":"image/jpeg","large":\#(picture())}"#)),
      ("a picture too many", frame(head().dropLast() + #","more":\#(picture())}"#)),
      ("a member too many", frame(head(large: picture().dropLast() + #","url":"x"}"#))),
      ("a member twice", frame(head(large: picture().dropLast() + #","width":64}"#))),
      ("a list", frame("[]")), ("a text", frame("\"image/jpeg\"")), ("a number", frame("1e999")),
      ("no JSON", frame("{\"type\":")), ("half a head", frame(head().prefix(60) + "")),
      ("spaces", frame(String(repeating: " ", count: 500))),
      ("a head of 2 MB", frame(head() + String(repeating: " ", count: 2 << 20))),
      ("a hundred thousand deep", frame(String(repeating: "[", count: 100_000))),
      ("900 deep", frame(String(repeating: "[", count: 900))),
      ("no UTF-8", frame([UInt8](head().utf8.dropLast()) + [0xFF, 0x7D])),
      ("a zero byte", frame([UInt8](head().utf8) + [0])),
      (
        "UTF-16",
        frame(
          head().utf16.flatMap {
            [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
          })
      ),
    ]

  @Test func `a complete frame is accepted`() throws {
    let picture = try #require(DrawnPicture(framed: Self.frame()))
    #expect(picture.large.bytes == Self.jpeg && picture.thumb.bytes == Self.jpeg)
    #expect(picture.large.width == 64 && picture.thumb.height == 48)
    #expect(try stand("exec /bin/cat", in: Self.frame()).draw([1]).large.bytes == Self.jpeg)
  }

  /// A frame that the report shows by its name. It would take longer to describe 17 MB as numbers
  /// than to test them.
  struct NamedFrame: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
  }

  @Test(arguments: (misfits + heads).map { NamedFrame(testDescription: $0, bytes: $1) })
  func `any other frame is a server error, and the server continues`(frame: NamedFrame) throws {
    #expect(DrawnPicture(framed: frame.bytes) == nil)
  }

  @Test func `the same frames from a program are refused with an error each`() throws {
    for (what, frame) in Self.misfits + Self.heads {
      let image = try stand("exec /bin/cat", in: frame)
      if frame.count > 16 << 20 {
        #expect(throws: PictureRefusal.tooCostly, "\(what)") { try image.draw([1]) }
      } else {
        #expect(throws: Refusal.self, "\(what)") { try image.draw([1]) }
      }
    }
    #expect(try stand("exec /bin/cat", in: Self.frame()).draw([1]).thumb.width == 64)
  }

  @Test func `every truncated frame is refused`() {
    let frame = Self.frame()
    for length in 0..<frame.count {
      #expect(DrawnPicture(framed: Array(frame.prefix(length))) == nil)
    }
  }

  @Test func `a frame with random changes stays within its bounds`() {
    let frame = Self.frame()
    var chance = SeededNumbers(seed: 22)
    let reach = 4 + Self.head().utf8.count
    for round in 0..<20_000 {
      var broken = frame
      for _ in 0...(round % 4) {
        let place = Int.random(in: 0..<reach, using: &chance)
        broken[place] = UInt8.random(in: 0...255, using: &chance)
      }
      guard let picture = DrawnPicture(framed: broken) else { continue }
      #expect(picture.large.bytes + picture.thumb.bytes == Self.jpeg + Self.jpeg)
      #expect((1...2_048).contains(picture.large.width))
      #expect((1...480).contains(picture.thumb.height))
    }
  }

  @Test(arguments: [
    "exec /bin/cat FRAME /dev/zero", "/bin/cat FRAME; exec /bin/sleep 60",
    "while :; do printf '\\000'; /bin/sleep 0.1; done",
    "printf '\\000\\000\\000'; exec /bin/sleep 60",
    "/usr/bin/head -c 100 FRAME; exec /bin/sleep 60",
    "/usr/bin/head -c 200 FRAME; while :; do printf x >&2; /bin/sleep 0.1; done",
    "/bin/cat FRAME; kill -SEGV $$", "/bin/cat FRAME; kill -9 $$",
  ])
  func `a slow, endless or interrupted program is ended`(script: String) throws {
    let image = try stand(script, in: Self.frame())
    let started = ContinuousClock.now
    #expect(throws: PictureRefusal.tooCostly) { try image.draw([1]) }
    #expect(ContinuousClock.now - started < .seconds(7))
  }

  @Test(arguments: [
    "/bin/cat FRAME; exit 1", "/bin/cat FRAME; exit 255",
    "/bin/cat FRAME; echo unheard-of >&2; exit 2",
    "/bin/cat FRAME; exit 2", "printf 'damaged\\000' >&2; exit 2", "echo ' damaged' >&2; exit 2",
    "printf '\\ndamaged' >&2; exit 2", "printf '\\377\\376' >&2; exit 2",
    "printf '\\033[2J\\r\\001forged=line' >&2; exit 3",
  ])
  func `a frame with another ending is refused`(script: String) throws {
    #expect(throws: Refusal.self) { try stand(script, in: Self.frame()).draw([1]) }
    let line = try #require(log.lines.first)
    #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value > 0x7E }, "\(line)")
  }

  @Test func `when the program sends only a header the server returns 503 and lives`() throws {
    let image = try stand("exec /bin/cat", in: Self.frame(pictures: []))
    let app = try TestApp(imageProgram: image.program)
    let ben = try app.account("ben")
    let device = try app.added(as: ben)
    for _ in 0..<3 {
      #expect(app.sendPhoto(to: device, as: ben.identity).status == .serviceUnavailable)
    }
    #expect(app.send(target: "/api/collections/devices/items/\(device)").status == .ok)
    #expect(app.pictureFiles.isEmpty)
  }

  /// A substitute for the program that decodes pictures; `FRAME` in its script, or the end of the
  /// script, is a file that contains the frame.
  private func stand(_ script: String, in frame: [UInt8]) throws -> ImageProcess {
    let name = UUID().uuidString
    let (file, program) = (
      folder.appendingPathComponent(name + ".frame"), folder.appendingPathComponent(name)
    )
    try Data(frame).write(to: file)
    let text =
      script.contains("FRAME")
      ? script.replacingOccurrences(of: "FRAME", with: file.path)
      : script.hasSuffix("cat") ? "\(script) \(file.path)" : script
    // As in ImageProcessTests: the system cannot run a file that is open for writing.
    let ending = try ChildProcess.run(
      "/bin/sh", ["-c", "cat > '\(program.path)'; chmod 700 '\(program.path)'"],
      input: Array("#!/bin/sh\n\(text)\n".utf8), limit: 0, within: .seconds(4))
    try #require(ending.status == .exited(0))
    let log = log
    return ImageProcess(program: program.path, logger: Logger(label: "test") { _ in log })
  }
}
