import Foundation
import Glibc
package import Logging
package import Metrics
import Service
internal import Spawning

/// A re-encoded picture, in two sizes.
package struct DrawnPicture: Sendable {
  /// A JPEG without metadata.
  package struct Encoded: Sendable {
    /// Pixels.
    package let width, height: Int
    package let bytes: [UInt8]
  }

  package let large, thumb: Encoded
}

/// Re-encodes pictures with `farol-image`, in a process for each, so that uploads are never decoded in
/// this process (docs/explanation/photos.md).
package struct ImageProcess: Sendable {
  /// The time limit for one picture.
  static let timeLimit = Duration.seconds(4)
  /// The maximum number of output bytes read; two JPEGs of the requested sizes are smaller.
  private static let maxAnswerSize = 16 << 20

  /// Two at a time: an instance has no memory for more.
  private static let places = DispatchSemaphore(value: 2)

  package let program: String
  package let logger: Logger
  /// Counts the outcomes.
  package let outcomes = Counters<PictureOutcome>()

  package init(program: String, logger: Logger) {
    self.program = program
    self.logger = logger
  }

  /// The path of `farol-image`: next to the running program.
  package static var besideThis: String { ChildProcess.besideThis("farol-image") }

  /// Re-encodes a picture, with regions painted black.
  ///
  /// - Throws: ``PictureRefusal``, or a 503 ``Refusal`` if the program is missing.
  package func draw(_ bytes: [UInt8], without regions: [PhotoRegion] = []) throws -> DrawnPicture {
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
        limit: Self.maxAnswerSize, within: Self.timeLimit)
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
      // The decoder crashed or hit a limit, because of the picture.
      logger.warning("farol-image was killed", metadata: ["how": "\(ending.status)"])
      throw PictureRefusal.tooCostly
    case .exited: break
    }
    logger.error(
      "farol-image failed",
      metadata: ["how": "\(ending.status)", "error": "\(Self.printable(ending.complaint))"])
    throw Refusal.busy
  }

  /// The beginning of a text from the program, restricted to printable ASCII for the log.
  private static func printable(_ text: String) -> String {
    String(
      decoding: text.utf8.prefix(200).map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
  }
}
