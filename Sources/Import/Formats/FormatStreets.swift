internal import JSON

extension FormatProgram {
  /// Passes on the streets of an OpenStreetMap extract as `farol-formats` writes them (Sources/C/OSMExtract), in
  /// pieces.
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
    do {
      try Self.with(path, ImportFailure("there is no file “\(path)” that can be read")) {
        file, size in
        // A second of processor time for 100 kB is fifty times libosmium's need for reading three times.
        try run(
          [
            "streets": [
              "ways": Self.texts(ways), "nodes": Self.texts(nodes), "kept": Self.texts(kept),
            ]
          ], seconds: min(60 + size / 100_000, 36_000), file: file, body)
      }
    } catch let failure as ImportFailure where failure == FormatRefusal.tooCostly {
      throw FormatRefusal.streetsTooCostly
    }
  }
}
