import Foundation
import Glibc
import JSON
import Logging
import Metrics

/// A picture drawn anew, in two sizes.
struct DrawnPicture: Sendable {
  /// A JPEG without metadata.
  struct Encoded: Sendable {
    /// Pixels.
    let width, height: Int
    let bytes: [UInt8]
  }

  let large, thumb: Encoded
}

/// Has pictures drawn anew by `farol-image`, a program for each: what strangers send is never decoded
/// in this one (docs/photos.md).
struct ImageProcess: Sendable {
  /// How long one may take.
  static let timeLimit = Duration.seconds(4)
  /// The most bytes that are read of what it answers; two JPEGs of the sizes asked for are less.
  private static let longestAnswer = 16 << 20

  /// Two at once, which is as much memory as an instance has to spare.
  private static let places = DispatchSemaphore(value: 2)

  let program: String
  let logger: Logger
  /// What became of the pictures.
  let outcomes = Counters<PictureOutcome>()

  /// The program beside the one that runs.
  static var besideThis: String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("farol-image").path
  }

  /// Draws a picture anew, with parts painted black.
  ///
  /// - Throws: ``PictureRefusal``, or a 503 where the program is missing.
  func draw(_ bytes: [UInt8], without regions: [PhotoRegion] = []) throws -> DrawnPicture {
    do {
      let picture = try run(bytes, without: regions)
      outcomes.add(.drawn)
      return picture
    } catch {
      outcomes.add(PictureOutcome(error))
      throw error
    }
  }

  private func run(_ bytes: [UInt8], without regions: [PhotoRegion]) throws -> DrawnPicture {
    Self.places.wait()
    defer { Self.places.signal() }
    let ending: ChildProcess.Ending
    do {
      ending = try ChildProcess.run(
        program, regions.flatMap { ["--black-out", $0.argument] }, input: bytes,
        limit: Self.longestAnswer, within: Self.timeLimit)
    } catch {
      logger.error("farol-image cannot be started", metadata: ["error": "\(error)"])
      throw Refusal.busy
    }
    switch ending.status {
    case .exited(0):
      guard let picture = DrawnPicture(framed: ending.output) else { break }
      return picture
    case .exited(2):
      if let refusal = PictureRefusal(rawValue: ending.complaint) { throw refusal }
    case .killed, .tooLong:
      // A decoder that broke, or met a limit: it is the picture's doing.
      logger.warning("farol-image was ended", metadata: ["how": "\(ending.status)"])
      throw PictureRefusal.tooCostly
    case .exited: break
    }
    logger.error(
      "farol-image failed",
      metadata: ["how": "\(ending.status)", "error": "\(ending.complaint.prefix(200))"])
    throw Refusal.busy
  }
}

extension DrawnPicture {
  /// Reads an answer of `farol-image`: the length of a head in four bytes, the head, both pictures.
  init?(framed bytes: [UInt8]) {
    guard bytes.count > 4 else { return nil }
    let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard length <= bytes.count - 4,
      let head = try? JSONValue(parsing: Array(bytes[4..<4 + length])),
      head["type"]?.stringValue == "image/jpeg"
    else { return nil }
    var rest = bytes.dropFirst(4 + length)
    func next(_ name: String) -> Encoded? {
      guard let width = head[name]?["width"]?.intValue, (1...20_000).contains(width),
        let height = head[name]?["height"]?.intValue, (1...20_000).contains(height),
        let count = head[name]?["bytes"]?.intValue, (1...rest.count).contains(count)
      else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Encoded(width: width, height: height, bytes: Array(rest.prefix(count)))
    }
    guard let large = next("large"), !rest.isEmpty, let thumb = next("thumb"), rest.isEmpty else {
      return nil
    }
    self.large = large
    self.thumb = thumb
  }
}
