internal import CArchive
internal import Glibc
internal import JSON

/// An archive or a compressed file, read with libarchive from standard input.
final class Archive {
  private let handle: OpaquePointer
  private static let pieceSize = 64 << 10
  /// Archives are read one after the other.
  private nonisolated(unsafe) static let buffer = UnsafeMutableRawPointer.allocate(
    byteCount: pieceSize, alignment: 16)

  init(isZip: Bool) throws {
    guard lseek(STDIN_FILENO, 0, SEEK_SET) == 0, let handle = archive_read_new() else {
      throw Failure(sentence: "the file cannot be read again")
    }
    self.handle = handle
    if isZip {
      archive_read_support_format_zip(handle)
    } else {
      archive_read_support_filter_bzip2(handle)
      archive_read_support_filter_xz(handle)
      archive_read_support_filter_zstd(handle)
      archive_read_support_format_raw(handle)
    }
    // Not by descriptor: libarchive would query facts of the file, which the process may not.
    archive_read_set_callback_data(handle, Self.buffer)
    archive_read_set_read_callback(handle) { _, buffer, piece in
      let count = read(STDIN_FILENO, buffer, Archive.pieceSize)
      piece?.pointee = UnsafeRawPointer(buffer)
      return count
    }
    archive_read_set_seek_callback(handle) { _, _, offset, whence in
      Int64(lseek(STDIN_FILENO, Int(offset), whence))
    }
    archive_read_set_skip_callback(handle) { _, _, count in
      lseek(STDIN_FILENO, Int(count), SEEK_CUR) >= 0 ? count : 0
    }
    guard archive_read_open1(handle) == ARCHIVE_OK else { throw refusal }
  }

  deinit { archive_read_free(handle) }

  /// The stated size of the current file in bytes; 0 if it is not stated.
  private(set) var size: Int64 = 0

  /// The name of the next file; nil at the end.
  func next() throws -> String? {
    var entry: OpaquePointer?
    while true {
      let code = archive_read_next_header(handle, &entry)
      if code == ARCHIVE_EOF { return nil }
      guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry else { throw refusal }
      let isFile = archive_entry_filetype(entry) & 0o170000 == 0o100000
      guard isFile || archive_entry_filetype(entry) == 0 else { continue }
      guard archive_entry_is_encrypted(entry) == 0 else { throw Refusal(.encrypted) }
      size = max(archive_entry_size(entry), 0)
      return archive_entry_pathname_utf8(entry).map { String(cString: $0) }
        ?? archive_entry_pathname(entry).map { String(cString: $0) } ?? ""
    }
  }

  /// Passes on the content of the current file, within the limits.
  func unpack(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    var total: Int64 = 0
    let packed = InputFile.size
    while true {
      let count = archive_read_data(handle, &piece, piece.count)
      guard count >= 0 else { throw refusal }
      guard count > 0 else { return }
      total += Int64(count)
      try Limits.check(unpacked: total, packed: packed)
      try piece.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
    }
  }

  private var refusal: Refusal {
    if archive_errno(handle) == ENOMEM { return Refusal(.memory) }
    return Refusal(.damaged, archive_error_string(handle).map { String(cString: $0) } ?? "")
  }
}

/// Writes the one list of an archive, or a compressed list, as its bytes.
struct Unpacking {
  let name: String
  let isZip: Bool
  /// The entry of the archive; nil for the first.
  var entry: String? = nil

  func write(to output: Output) throws {
    let archive = try Archive(isZip: isZip)
    while let found = try archive.next() {
      if let entry, found != entry { continue }
      var head = JSONWriter()
      head.beginObject()
      head.member("rows", "bytes")
      head.member("name", isZip ? found : Self.withoutExtension(name))
      head.endObject()
      try output.write(head.bytes + [0x0A])
      return try archive.unpack { try output.write($0) }
    }
    throw Refusal(.empty)
  }

  /// `cameras.csv.xz` is `cameras.csv`.
  private static func withoutExtension(_ name: String) -> String {
    let endings = [".bz2", ".xz", ".zst"]
    guard let ending = endings.first(where: name.lowercased().hasSuffix) else { return name }
    return String(name.dropLast(ending.count))
  }
}
