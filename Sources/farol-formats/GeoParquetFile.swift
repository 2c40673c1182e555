internal import Glibc
internal import ParquetFiles

/// A GeoParquet file, written from the rows that the server sends on standard input (`parquet_write` describes
/// them).
struct GeoParquetFile {
  /// The columns with the name of their kind, in the order of the values of a row.
  private let columns: [(name: String, kind: parquet_kind)]
  private let about: [(String, String)]

  private static let kinds: [String: parquet_kind] = [
    "text": PARQUET_TEXT, "integer": PARQUET_INTEGER, "number": PARQUET_NUMBER,
    "flag": PARQUET_FLAG, "time": PARQUET_TIME, "day": PARQUET_DAY,
  ]

  /// - Throws: ``Failure`` for an unknown kind.
  init(columns: [(String, String)], about: [(String, String)]) throws {
    self.columns = try columns.map { name, kind in
      guard let kind = Self.kinds[kind] else { throw Failure(sentence: "no kind \(kind)") }
      return (name, kind)
    }
    self.about = about
  }

  func write() throws {
    let names = columns.map { strdup($0.name) }
    let facts = about.map { (strdup($0.0), strdup($0.1)) }
    defer {
      names.forEach { free($0) }
      facts.forEach { key, value in
        free(key)
        free(value)
      }
    }
    let described = zip(names, columns).map { parquet_column(name: $0, kind: $1.kind) }
    let stated = facts.map { parquet_fact(key: $0, value: $1) }
    var fault = ParquetFault()
    let result = fault.withBuffer {
      parquet_write(
        STDIN_FILENO, STDOUT_FILENO, described, described.count, stated, stated.count, $0, $1)
    }
    switch result {
    case PARQUET_DONE: return
    case PARQUET_NO_MEMORY: throw Failure(sentence: "no memory")
    default: throw Failure(sentence: fault.text)
    }
  }
}
