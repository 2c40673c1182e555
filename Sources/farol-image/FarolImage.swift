import Glibc

/// Reads one picture from standard input and writes it anew: decoded, upright, without a byte of
/// what else the file held, in two sizes. It runs once for each picture, as a child of the server,
/// so that what a decoder does wrong stays here.
///
///     farol-image [--large 2048] [--thumb 480] [--black-out LEFT,TOP,WIDTH,HEIGHT]… < in > out
///
/// Ends with 0 when done, with 2 when the file is refused (``Refusal`` on standard error), with
/// anything else when something failed. docs/photos.md tells the whole of it.
@main
enum FarolImage {
  /// JPEG qualities of libjpeg: no artefacts to be seen at the size the pictures are shown.
  private static let quality = (large: 82, thumb: 78)

  static func main() {
    do {
      try Confinement.begin()
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      try Streams.write(answer(to: options).framed)
    } catch let refusal as Refusal {
      end(refusal.rawValue, status: 2)
    } catch let failure as Failure {
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
