internal import Glibc
internal import ParquetFiles

/// A GeoParquet file of the server without some rows. The descriptor after the standard streams is a file with one
/// text per line: a row with one of them in ``column`` is left out.
struct FilteredParquetFile {
  let column: String

  /// Writes how many rows stay and how many are left out, then the new file if any are.
  func write(to output: Output) throws {
    let file = try ParquetFile.open()
    defer { parquet_close(file) }
    let texts = try Self.texts()
    try texts.withUnsafeBytes { bytes in
      let texts = bytes.bindMemory(to: CChar.self)
      var found: Int64 = 0
      try Self.check { parquet_count(file, column, texts.baseAddress, texts.count, &found, $0, $1) }
      let kept = parquet_rows(file) - found
      try output.write(line: #"{"rows":"parquet","kept":\#(kept),"left_out":\#(found)}"#)
      try output.flush()
      guard found > 0 else { return }
      try Self.check {
        parquet_filter(file, STDOUT_FILENO, column, texts.baseAddress, texts.count, $0, $1)
      }
    }
  }

  private static func check(
    _ body: (UnsafeMutablePointer<CChar>?, Int) -> parquet_result
  ) throws {
    var fault = ParquetFault()
    try fault.check(fault.withBuffer(body))
  }

  private static func texts() throws -> [UInt8] {
    var texts: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(STDERR_FILENO + 1, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(sentence: "the texts cannot be read") }
      guard count > 0 else { return texts }
      texts += piece.prefix(count)
    }
  }
}
