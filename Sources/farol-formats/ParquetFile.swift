internal import CGDAL
internal import Glibc
internal import JSON
internal import ParquetFiles

/// A Parquet file, written as GeoJSON features in WGS 84. Without the metadata of GeoParquet, the features have
/// no geometry, and the positions are in columns.
final class ParquetFile {
  private let file: OpaquePointer
  private let geo: GeoParquet
  private let positions: Positions
  private var output: Output?
  private var line = JSONWriter(capacity: 4_096)
  private var written: Int64 = 0
  private var refusal: (any Error)?

  /// The end of a line.
  private static let end: [UInt8] = [0x0A]

  init() throws {
    let file = try Self.open()
    do {
      var length = 0
      let geo = parquet_metadata(file, "geo", &length)
      self.geo =
        try geo.map { text in
          try GeoParquet(Array(UnsafeRawBufferPointer(start: text, count: length)))
        } ?? GeoParquet()
      positions = try self.geo.positions()
      guard parquet_rows(file) > 0 else { throw Refusal(.empty) }
    } catch {
      parquet_close(file)
      throw error
    }
    self.file = file
  }

  deinit { parquet_close(file) }

  /// The file on standard input; the caller closes it.
  static func open() throws -> OpaquePointer {
    var file: OpaquePointer?
    var fault = ParquetFault()
    let result = fault.withBuffer { parquet_open(STDIN_FILENO, InputFile.size, &file, $0, $1) }
    try fault.check(result)
    guard let file else { throw Refusal(.damaged) }
    return file
  }

  func write(to output: Output) throws {
    self.output = output
    let boxes = geo.boxes.map { strdup($0) }
    defer { boxes.forEach { free($0) } }
    let names = boxes.map { UnsafePointer<CChar>($0) }
    // Kept alive until the call returns.
    let context = Unmanaged.passUnretained(self).toOpaque()
    var fault = ParquetFault()
    let result = fault.withBuffer {
      parquet_read(file, geo.geometry, names, names.count, writeRow, context, $0, $1)
    }
    if let refusal { throw refusal }
    try fault.check(result)
  }

  /// - Returns: false to end the reading.
  fileprivate func write(
    _ properties: UnsafeRawBufferPointer, _ shape: UnsafeRawBufferPointer
  ) -> Bool {
    do {
      line.removeAll()
      line.beginObject()
      line.member("type", "Feature")
      line.key("properties")
      line.raw(utf8: properties.bindMemory(to: UInt8.self))
      line.key("geometry")
      geometry(shape)
      line.endObject()
      try output?.write(line.bytes)
      try output?.write(Self.end)
      written += Int64(line.bytes.count + 1)
      try Limits.check(unpacked: written, packed: InputFile.size)
      return true
    } catch {
      refusal = error
      return false
    }
  }

  private func geometry(_ shape: UnsafeRawBufferPointer) {
    guard !shape.isEmpty else { return line.null() }
    var geometry: OGRGeometryH?
    let result = OGR_G_CreateFromWkb(
      shape.baseAddress, nil, &geometry, Int32(clamping: shape.count))
    defer { if let geometry { OGR_G_DestroyGeometry(geometry) } }
    GDAL.lastFault = nil
    positions.write(result == OGRERR_NONE ? geometry : nil, &line)
  }
}

private func writeRow(
  _ context: UnsafeMutableRawPointer?, _ json: UnsafePointer<CChar>?, _ length: Int,
  _ shape: UnsafePointer<UInt8>?, _ shapeLength: Int
) -> Int32 {
  guard let context, let json else { return 1 }
  let file = Unmanaged<ParquetFile>.fromOpaque(context).takeUnretainedValue()
  let goesOn = file.write(
    UnsafeRawBufferPointer(start: json, count: length),
    UnsafeRawBufferPointer(start: shape, count: shape == nil ? 0 : shapeLength))
  return goesOn ? 0 : 1
}

/// A message of the library.
struct ParquetFault {
  private var buffer = [CChar](repeating: 0, count: 200)

  mutating func withBuffer(
    _ body: (UnsafeMutablePointer<CChar>?, Int) -> parquet_result
  ) -> parquet_result {
    buffer.withUnsafeMutableBufferPointer { body($0.baseAddress, $0.count) }
  }

  var text: String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// - Throws: ``Refusal`` or ``Failure`` unless the result is that everything is done.
  func check(_ result: parquet_result) throws {
    switch result {
    case PARQUET_DONE: return
    case PARQUET_STOPPED: throw Failure(sentence: "standard output cannot be written")
    case PARQUET_NO_MEMORY: throw Refusal(.memory)
    case PARQUET_ENCRYPTED: throw Refusal(.encrypted)
    case PARQUET_NO_GEOMETRY: throw Refusal(.damaged, "geo")
    default: throw Refusal(.damaged, text)
    }
  }
}
