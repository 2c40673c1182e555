internal import Glibc
internal import JSON

extension FormatProgram {
  /// Passes on the streets of an OpenStreetMap extract as `farol-formats` writes them (Sources/C/OSMExtract), in pieces.
  ///
  /// - Parameters:
  ///   - path: the extract, a PBF file.
  ///   - ways: the keys of the ways that are streets.
  ///   - nodes: the keys of the nodes whose tags are wanted.
  ///   - kept: the keys whose values are wanted.
  ///   - body: is called with each piece, which is valid only during the call.
  /// - Throws: ``ImportFailure``, or errors of `body`.
  package func streets(
    _ path: String, ways: [String], nodes: [String], kept: [String],
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw ImportFailure("there is no file “\(path)” that can be read") }
    defer { close(file) }
    let size = max(Int(lseek(file, 0, SEEK_END)), 0)
    lseek(file, 0, SEEK_SET)
    // A second of processor time for 100 kB is fifty times what libosmium needs for reading three times.
    let seconds = min(60 + size / 100_000, 36_000)
    var json = JSONWriter()
    json.beginObject()
    json.key("seconds")
    json.integer(seconds)
    json.key("streets")
    json.beginObject()
    for (name, keys) in [("ways", ways), ("nodes", nodes), ("kept", kept)] {
      json.key(name)
      json.beginArray()
      for key in keys { json.string(key) }
      json.endArray()
    }
    json.endObject()
    json.endObject()
    let argument = String(decoding: json.bytes, as: UTF8.self)
    let child = try child(argument, file: file)
    do { try child.forEachPiece(silence: .seconds(2 * seconds), body) } catch {
      child.kill()
      throw error
    }
    do { try child.checkEnd() } catch let failure as ImportFailure {
      throw failure == FormatRefusal.tooCostly ? FormatRefusal.streetsTooCostly : failure
    }
  }
}
