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
      metadata: ["how": "\(ending.status)", "error": "\(Self.printable(ending.complaint))"])
    throw Refusal.busy
  }

  /// The beginning of a text from the program, fit to stand in a log.
  private static func printable(_ text: String) -> String {
    String(
      decoding: text.utf8.prefix(200).map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
  }
}
