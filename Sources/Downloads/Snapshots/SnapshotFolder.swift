import Compression
import Foundation
import Glibc
import PrivacyMap
import Secrets
package import Service
package import SpatialDatabase
import WebServer

/// The formats of snapshots. Texts are compressed with gzip.
package enum SnapshotFormat: String, CaseIterable, Sendable {
  case csv, geojson, parquet

  package var exported: ExportFormat {
    switch self {
    case .csv: .csv
    case .geojson: .geojson
    case .parquet: .parquet
    }
  }

  /// Whether a file has one record after the other. GeoParquet compresses its columns itself.
  package var isText: Bool { self != .parquet }
  package var ending: String { isText ? "\(rawValue).gz" : rawValue }
  var mediaType: String { isText ? "application/gzip" : exported.declaredType }

  init?(ending: some StringProtocol) {
    guard let format = Self.allCases.first(where: { $0.ending == ending }) else { return nil }
    self = format
  }
}

extension NightlyFile {
  /// `<day>.csv.gz`, `<day>.geojson.gz` or `<day>.parquet`.
  init(_ day: String, _ format: SnapshotFormat, sha256: String) {
    self.init(name: "\(day).\(format.ending)", sha256: sha256)
  }
}

/// Writes and reads the files of snapshots.
package struct SnapshotFolder: Sendable {
  package let files: any NightlyFiles

  package init(files: any NightlyFiles) {
    self.files = files
  }

  /// The files of a database; `path` is the folder of files, or only of drafts.
  package init(in database: Database, path: String) {
    self.init(
      files: database.holdsFiles
        ? StoredFiles(in: database, drafts: path) : FolderFiles(path: path))
  }

  package init(_ instance: Instance) {
    self.init(in: instance.database, path: instance.folders.snapshots.path)
  }

  /// The properties of a finished file.
  struct Written: Equatable {
    var devices: Int
    let bytes: Int
    /// In hexadecimal.
    let sha256: String
  }

  /// Writes a file. It is stored only when it is complete and synced to the disk.
  ///
  /// - Returns: its properties; `body` returns the number of devices.
  func write(
    _ day: String, _ format: SnapshotFormat, at now: Timestamp,
    _ body: (_ sink: ([UInt8]) throws -> Void) throws -> Int
  ) throws -> Written {
    let path = files.drafts
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let draft = "\(path)/.\(day).\(format.rawValue).part"
    do {
      let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw SnapshotTrouble.cannotWrite(path) }
      defer { close(descriptor) }
      var packer = PackedFile(descriptor: descriptor, path: path, isPacked: format.isText)
      let devices = try body { try packer.write($0) }
      let (bytes, sha256) = try packer.finish()
      guard fsync(descriptor) == 0 else { throw SnapshotTrouble.cannotWrite(path) }
      try files.keep(draft, as: NightlyFile(day, format, sha256: sha256), at: now)
      return Written(devices: devices, bytes: bytes, sha256: sha256)
    } catch {
      unlink(draft)
      throw error
    }
  }

  /// Passes each record of a file to `body`: a feature or a line of the table, or the text before and
  /// after them, each with its line end.
  func forEachRecord(
    _ file: NightlyFile, _ format: SnapshotFormat, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    guard let file = try files.open(file) else { throw SnapshotTrouble.missing(file.name) }
    var unpacked = try Gunzip()
    var splitter = RecordSplitter(isQuoted: format == .csv)
    while let piece = try file.next() {
      try unpacked.decompress(piece) { bytes in try splitter.take(bytes, body) }
    }
    try unpacked.finish()
  }
}

/// A file, compressed with gzip or as it is, that is hashed while it is written.
private struct PackedFile: ~Copyable {
  private let descriptor: Int32
  private let path: String
  private var gzip: GzipStream?
  private var hash = SHA256Stream()
  private var count = 0

  init(descriptor: Int32, path: String, isPacked: Bool) {
    self.descriptor = descriptor
    self.path = path
    gzip = isPacked ? GzipStream(level: 6) : nil
  }

  mutating func write(_ bytes: [UInt8]) throws {
    guard gzip != nil else { return try keep(bytes) }
    var packed: [UInt8] = []
    try bytes.withUnsafeBytes { raw in
      try gzip?.compress(raw) { (piece) throws in packed.append(contentsOf: piece) }
    }
    try keep(packed)
  }

  mutating func finish() throws -> (bytes: Int, sha256: String) {
    var packed: [UInt8] = []
    try gzip?.finish { (piece) throws in packed.append(contentsOf: piece) }
    try keep(packed)
    return (count, Hexadecimal.text(of: hash.finish()))
  }

  private mutating func keep(_ bytes: [UInt8]) throws {
    bytes.withUnsafeBufferPointer { hash.update($0) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { throw SnapshotTrouble.cannotWrite(path) }
      rest = rest.dropFirst(written)
    }
    count += bytes.count
  }
}

/// Splits a file into records at line ends; within quotes, a line end is part of a cell.
struct RecordSplitter {
  private let isQuoted: Bool
  private var record: [UInt8] = []
  private var isInside = false

  init(isQuoted: Bool) { self.isQuoted = isQuoted }

  mutating func take(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var start = 0
    for place in bytes.indices {
      let byte = bytes[place]
      if isQuoted, byte == UInt8(ascii: "\"") { isInside.toggle() }
      guard byte == 0x0A, !isInside else { continue }
      record.append(contentsOf: bytes[start...place])
      try body(record[...])
      record.removeAll(keepingCapacity: true)
      start = place + 1
    }
    record.append(contentsOf: bytes[start...])
  }
}

/// Parses the parts of a snapshot record that are needed here.
enum SnapshotRecord {
  private static let feature = Array("{\"type\":\"Feature\",\"id\":\"".utf8)

  /// The id of its device; nil for the beginning and the end of a file.
  static func id(_ record: ArraySlice<UInt8>, _ format: SnapshotFormat) -> ArraySlice<UInt8>? {
    switch format {
    case .geojson:
      record.starts(with: feature) ? record.dropFirst(feature.count).prefix(36) : nil
    case .csv:
      record.dropFirst(8).first == UInt8(ascii: "-") ? record.prefix(36) : nil
    case .parquet: nil
    }
  }

  /// A feature without the comma and line end that follow it.
  static func bare(_ record: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var record = record
    if record.last == 0x0A { record = record.dropLast() }
    if record.last == UInt8(ascii: ",") { record = record.dropLast() }
    return record
  }
}
