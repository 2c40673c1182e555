internal import Confinement
import Glibc

/// Reads one picture from standard input and re-encodes it: decoded, upright, without any other
/// data of the file, in two sizes. It runs once per picture as a child process of the server, so
/// that a decoder exploit is contained.
///
///     farol-image [--large 2048] [--thumb 480] [--black-out LEFT,TOP,WIDTH,HEIGHT]… < in > out
///
/// Exits with 0 on success, with 2 when the file is rejected (``Refusal`` on standard error), and
/// with another code on failure. docs/explanation/photos.md has the full description.
@main
enum FarolImage {
  /// JPEG qualities of libjpeg: no visible artefacts at the size at which the pictures are shown.
  private static let quality = (large: 82, thumb: 78)

  static func main() {
    do {
      try Limits.confinement.begin()
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      try Streams.write(answer(to: options).framed)
    } catch let refusal as Refusal {
      end(refusal.rawValue, status: 2)
    } catch let failure as Failure {
      end(failure.sentence, status: 1)
    } catch let failure as Confinement.Failure {
      end(failure.sentence, status: 1)
    } catch {
      end("unexpected", status: 1)
    }
  }

  private static func answer(to options: Options) throws -> Answer {
    let bytes = try Streams.read()
    guard let kind = ImageKind(bytes) else { throw Refusal.notAnImage }
    try VipsLibrary.start(for: kind)
    Confinement.tighten()
    return try bytes.withUnsafeBytes { bytes in
      guard kind.isComplete(bytes) else { throw Refusal.damaged }
      var large = try Picture.decoded(bytes, kind: kind, side: options.large)
      try large.blacken(options.blackOuts)
      let thumb = try large.fitted(into: options.thumb)
      return Answer(
        large: try encoded(large, quality: quality.large),
        thumb: try encoded(thumb, quality: quality.thumb))
    }
  }

  private static func encoded(
    _ picture: borrowing Picture, quality: Int
  ) throws -> Answer.Encoded {
    let (width, height) = picture.size
    return Answer.Encoded(width: width, height: height, bytes: try picture.jpeg(quality: quality))
  }

  private static func end(_ sentence: String, status: Int32) -> Never {
    Streams.complain(sentence)
    exit(status)
  }
}
