internal import CSpatiaLite
internal import Locking

/// The settings of a connection: its role, its caches and its restrictions.
struct ConnectionSettings: Sendable {
  /// The role of a connection.
  enum Part: Sendable {
    /// Writes and checkpoints. There is exactly one.
    case writer
    /// Reads Farol's database file.
    case reader
    /// Reads a plain SQLite file, without SpatiaLite.
    case plainReader
    /// Creates a plain SQLite file that no other process knows.
    case scratch
  }

  var part: Part
  var busyTimeout: Duration
  /// Whether the process does no other work. The cache of the writer then holds the R*Trees of some
  /// millions of devices.
  var hasRoom = false
  /// Whether the file is Farol's database. Other files are SQLite on every engine, so their statements are not
  /// recorded.
  var isFarolDatabase = true

  /// SQLite's page cache in kibibytes. A connection with SpatiaLite takes 2.4 MB before its first page. The limits
  /// keep one writer and four readers within some 20 MB. Pages beyond a reader's share are in the kernel's page
  /// cache. With 2.5 MB per reader, only repeated queries of the same few lists became cheaper: they used a seventh
  /// less processor time.
  private var pageCache: Int {
    switch part {
    case .writer: hasRoom ? 32_768 : 4_096
    case .reader, .plainReader: 1_024
    case .scratch: 8_192
    }
  }

  /// Opens a connection and applies all settings.
  func open(_ path: String) throws -> Session {
    _ = prepareProcess
    let access =
      part == .writer || part == .scratch
      ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    var handle: OpaquePointer?
    // A session serialises the use of its connection, so SQLite needs no mutex for it.
    let code = sqlite3_open_v2(
      path, &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let handle else {
      throw DatabaseFault(.unreadable, "\(path): no memory for a connection", code: code)
    }
    let isRecorded = isFarolDatabase && part != .scratch
    let session = Session(handle: handle, recorder: isRecorded ? StatementRecorder.shared : nil)
    do {
      guard code == SQLITE_OK else { throw DatabaseFault(connection: handle) }
      try prepare(session)
      return session
    } catch var fault as DatabaseFault where fault.code != 0 {
      fault.message = "\(path): \(fault.message)"
      throw fault
    }
  }

  private func prepare(_ session: Session) throws {
    let handle = session.handle
    sqlite3_busy_timeout(handle, Int32(clamping: busyTimeout.wholeMilliseconds))
    setOptions(of: handle)
    if part == .writer || part == .reader {
      try checkApplication(Connection(session: session))
      try addSpatiaLite(to: handle)
    }
    if part != .scratch { addTextFunctions(to: handle) }
    // Reads the schema last, so that a file of another format is rejected now.
    let settings = pragmas.map { "PRAGMA \($0);" } + ["SELECT 1 FROM sqlite_schema LIMIT 1"]
    guard sqlite3_exec(handle, settings.joined(), nil, nil, nil) == SQLITE_OK else {
      throw DatabaseFault(connection: handle)
    }
    setLimits(of: handle)
  }

  /// Rejects a valid file of another program before anything in it is changed.
  private func checkApplication(_ connection: Connection) throws {
    let id = try connection.integer("PRAGMA application_id") ?? 0
    if id == FileFormat.applicationID { return }
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    guard id == 0, pages == 0, part == .writer else {
      throw DatabaseFault(.notFarol, "the file was not made by Farol (application_id \(id))")
    }
    try connection.execute("PRAGMA application_id = \(FileFormat.applicationID)")
  }

  private var pragmas: [String] {
    let common = [
      "cache_size = -\(pageCache)",
      "mmap_size = 0",  // a read error in a mapped page would be a signal, not an error
      "cell_size_check = ON",
      "foreign_keys = ON",
    ]
    switch part {
    case .writer:
      return common + [
        // SpatiaLite's triggers call its functions. SQLite otherwise considers these unsafe in
        // triggers, and every insert into a geometry table would fail.
        "trusted_schema = ON",
        "journal_mode = WAL",
        "synchronous = FULL",  // an acknowledged write survives a power failure
        "temp_store = MEMORY",  // true points are not written to temporary files
        "secure_delete = ON",  // an erased address leaves no bytes in a free page
        // Pages that many writes touch are written to the file once for all of these writes. With sixteen clients the
        // write rate is a tenth higher than with SQLite's default of 1,000 pages, and a checkpoint delays one write
        // in 150 by 8 ms.
        "wal_autocheckpoint = \(hasRoom ? 16_000 : 4_000)",
        // During a long read the log keeps growing. Afterwards it is truncated to this size.
        "journal_size_limit = 67108864",
      ]
    case .scratch:
      return common + ["journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE"]
    case .reader, .plainReader:
      return common + [
        // Reading runs no triggers or CHECK constraints, so trust is not needed.
        "trusted_schema = OFF",
        "query_only = ON",
        // Only the writer checkpoints. In SQLite before 3.51.3, two connections that checkpoint or
        // write at the same time can damage the file (the WAL-reset race).
        "wal_autocheckpoint = 0",
      ]
    }
  }

  private func setOptions(of handle: OpaquePointer) {
    // SQLITE_DBCONFIG_DEFENSIVE would prevent turning the journal off.
    if part != .scratch { _ = sqlite_set_option(handle, SQLITE_DBCONFIG_DEFENSIVE, 1) }
    _ = sqlite_set_option(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    // A name in double quotes that does not exist is an error, and not a text, as in PostgreSQL.
    _ = sqlite_set_option(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    _ = sqlite_set_option(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    if part != .writer && part != .scratch {
      _ = sqlite_set_option(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }
  }

  private func setLimits(of handle: OpaquePointer) {
    sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000)
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 200)
    sqlite3_limit(handle, SQLITE_LIMIT_COMPOUND_SELECT, 50)
    sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 50)
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 1_000_000)
    sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, 32_766)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 64 << 20)  // a text or blob, bytes
  }
}

/// SpatiaLite has a cache per connection, and there is no close hook in which Farol could free it.
/// When a connection closes, SQLite calls the destructors of its functions, so the cache is
/// attached to a function.
private func addSpatiaLite(to handle: OpaquePointer) throws {
  // SpatiaLite registers each connection in a global table without a lock.
  try spatiaLiteTurn.withLock { _ in
    guard let cache = spatialite_alloc_connection() else {
      throw DatabaseFault(.unreadable, "SpatiaLite has no room for another connection")
    }
    spatialite_init_ex(handle, cache, 0)
    spatialite_set_silent_mode(cache)  // the caller detects warnings by NULL or 0
    sqlite3_create_function_v2(
      handle, "spatialite_cache", 0, SQLITE_UTF8, cache, answerNull, nil, nil, freeCache)
  }
}

/// `casefold(text)`: case folding for filters, because SQLite's `lower` handles only ASCII.
/// `search_text(text)`: the text for the full-text index, '' for NULL. And ``Calculations`` and ``NestedRows``.
private func addTextFunctions(to handle: OpaquePointer) {
  let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
  sqlite3_create_function_v2(handle, "casefold", 1, flags, nil, foldCase, nil, nil, nil)
  sqlite3_create_function_v2(handle, "search_text", 1, flags, nil, prepareForSearch, nil, nil, nil)
  Calculations.add(to: handle)
  NestedRows.add(to: handle)
  BorderFunction.add(to: handle)
}

/// The UTF-8 bytes of the only argument of a function. Nil if it is not text.
private func utf8(
  _ values: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeBufferPointer<UInt8>? {
  guard let value = values?.pointee, sqlite3_value_type(value) == SQLITE_TEXT,
    let bytes = sqlite3_value_text(value)
  else { return nil }
  return UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
}

private func answer(_ text: String, in context: OpaquePointer?) {
  var text = text
  text.withUTF8 { bytes in
    bytes.withMemoryRebound(to: CChar.self) { characters in
      sqlite_result_text(context, characters.baseAddress, Int32(clamping: characters.count))
    }
  }
}

private func foldCase(
  _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let bytes = utf8(values) else { return sqlite3_result_null(context) }
  answer(String(decoding: bytes, as: UTF8.self).caseFolded, in: context)
}

private func prepareForSearch(
  _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let bytes = utf8(values) else { return answer("", in: context) }
  // Most texts do not change. SQLite then returns its argument.
  guard SearchText.mayHaveWordsByThemselves(bytes) else {
    return sqlite3_result_value(context, values?.pointee)
  }
  answer(SearchText.indexed(String(decoding: bytes, as: UTF8.self)), in: context)
}

private let spatiaLiteTurn = Locked(())

private func answerNull(
  _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  sqlite3_result_null(context)
}

private func freeCache(_ cache: UnsafeMutableRawPointer?) {
  spatiaLiteTurn.withLock { _ in spatialite_cleanup_ex(cache) }
}

/// Runs once per process, before its first connection.
private let prepareProcess: Void = {
  _ = sqlite_without_memory_statistics()
}()
