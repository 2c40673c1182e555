package import Logging
package import SpatialDatabase

/// Where the pictures of `media_file` are: in a folder with SQLite, in the database with PostgreSQL, where several
/// servers find them (docs/decisions/0025).
///
/// A picture is stored in two steps, because a folder takes part in no transaction: ``prepare(_:as:)`` before the
/// transaction, and ``add(_:as:_:)`` in it, after the row of `media_file` was inserted. If the transaction fails,
/// ``erase(_:)`` follows.
package protocol PictureStore: Sendable {
  /// Stores the data that must exist before the row refers to it.
  ///
  /// - Throws: a 503 ``Refusal`` if that is impossible.
  func prepare(_ picture: DrawnPicture, as name: String) throws

  /// Stores the rest.
  func add(_ picture: DrawnPicture, as name: String, _ connection: borrowing Connection) throws

  /// - Returns: nil if there is no such picture.
  func bytes(
    of name: String, _ size: MediaFolder.Size, _ connection: borrowing Connection
  ) throws -> [UInt8]?

  /// Whether both sizes exist.
  func has(_ name: String, _ connection: borrowing Connection) throws -> Bool

  /// Erases both sizes, before the row of `media_file` or without one.
  func erase(_ name: String)

  /// The pictures that may be without a row, each with the time it was stored in seconds since 1970.
  func names() -> [String: Int64]

  /// The bytes of all pictures.
  func size(_ connection: borrowing Connection) throws -> Int64
}

/// The pictures in the table `media_content`. A picture is stored, replicated, restored and erased with its row.
package struct MediaTable: PictureStore {
  package init() {}

  package func prepare(_ picture: DrawnPicture, as name: String) {}

  package func add(
    _ picture: DrawnPicture, as name: String, _ connection: borrowing Connection
  ) throws {
    try add(picture.large.bytes, .large, of: name, connection)
    try add(picture.thumb.bytes, .thumb, of: name, connection)
  }

  /// Stores one size.
  package func add(
    _ bytes: [UInt8], _ size: MediaFolder.Size, of name: String,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "INSERT INTO media_content (file, size, content) VALUES (?, ?, ?)",
      [.text(name), .text(size.rawValue), .blob(bytes)])
  }

  package func bytes(
    of name: String, _ size: MediaFolder.Size, _ connection: borrowing Connection
  ) throws -> [UInt8]? {
    try connection.first(
      "SELECT content FROM media_content WHERE file = ? AND size = ?",
      [.text(name), .text(size.rawValue)]
    ) { $0.blob(0) }
  }

  package func has(_ name: String, _ connection: borrowing Connection) throws -> Bool {
    try connection.integer("SELECT count(*) FROM media_content WHERE file = ?", [.text(name)]) == 2
  }

  /// They are erased with their row, by a foreign key.
  package func erase(_ name: String) {}

  /// None is without a row.
  package func names() -> [String: Int64] { [:] }

  package func size(_ connection: borrowing Connection) throws -> Int64 {
    try connection.integer("SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM media_file") ?? 0
  }
}

extension MediaFolder: PictureStore {
  /// The store of a database; `path` is the path of the folder, if it has one.
  package static func store(
    of database: Database, path: String, logger: Logger
  ) -> any PictureStore {
    database.holdsFiles ? MediaTable() : MediaFolder(path: path, logger: logger)
  }

  package func prepare(_ picture: DrawnPicture, as name: String) throws {
    try keep(large: picture.large.bytes, thumb: picture.thumb.bytes, as: name)
  }

  /// Nothing is left to do.
  package func add(
    _ picture: DrawnPicture, as name: String, _ connection: borrowing Connection
  ) {}

  package func bytes(of name: String, _ size: Size, _ connection: borrowing Connection) -> [UInt8]?
  {
    bytes(of: name, size)
  }

  package func has(_ name: String, _ connection: borrowing Connection) -> Bool { has(name) }

  package func size(_ connection: borrowing Connection) -> Int64 { totalSize() }
}
