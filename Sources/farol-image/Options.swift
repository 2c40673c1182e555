/// The command-line options.
struct Options {
  /// Longest side of the large picture, in pixels.
  var large = 2_048
  /// Longest side of the thumbnail, in pixels.
  var thumb = 480
  /// The parts to paint black, on the upright picture.
  var blackOuts: [BlackOut] = []

  /// Reads `--large N`, `--thumb N` and any number of `--black-out LEFT,TOP,WIDTH,HEIGHT`.
  ///
  /// - Throws: ``Failure`` with the invalid option.
  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Failure(sentence: "\(name) needs a value") }
      switch name {
      case "--large": large = try Self.side(value)
      case "--thumb": thumb = try Self.side(value)
      case "--black-out": blackOuts.append(try BlackOut(value))
      default: throw Failure(sentence: "there is no option \(name)")
      }
    }
    guard blackOuts.count <= Limits.blackOuts else {
      throw Failure(sentence: "at most \(Limits.blackOuts) parts can be blacked out")
    }
  }

  private static func side(_ text: String) throws(Failure) -> Int {
    guard let side = Int(text), Limits.sides.contains(side) else {
      throw Failure(sentence: "\(text) is no length of a side, \(Limits.sides)")
    }
    return side
  }
}
