// Reads and writes Parquet with Apache Arrow, which is a C++ library.

#ifndef FAROL_PARQUET_FILES_H
#define FAROL_PARQUET_FILES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum parquet_result {
  PARQUET_DONE,
  PARQUET_DAMAGED,
  PARQUET_STOPPED,
  PARQUET_NO_MEMORY,
  PARQUET_ENCRYPTED,
  /// A column that is named as the geometry does not contain bytes.
  PARQUET_NO_GEOMETRY
};

/// A fact about a file: its key and its value, both zero-terminated.
struct parquet_fact {
  const char *key;
  const char *value;
};

// Reading

/// An open file. It is closed with `parquet_close`.
struct parquet_file;

/// Opens a seekable file of `size` bytes. A message about damage is copied into `fault`.
enum parquet_result parquet_open(
    int descriptor, int64_t size, struct parquet_file **file, char *fault, size_t fault_size);

/// The value of a key of the file's metadata, with its length; null if there is none. It is valid until the
/// file is closed.
const char *parquet_metadata(struct parquet_file *file, const char *key, size_t *length);

/// The number of rows that the file states.
int64_t parquet_rows(struct parquet_file *file);

/// Receives one row: its values as a JSON object, and the bytes of its geometry, or null. A result other than 0
/// ends the reading.
typedef int (*parquet_sink)(
    void *context, const char *json, size_t length, const uint8_t *geometry, size_t geometry_length);

/// Passes on all rows. Null values are left out; lists, structures and maps become JSON lists and objects.
/// `geometry` is the name of a column, or null. The columns named in `left_out` are not read.
enum parquet_result parquet_read(
    struct parquet_file *file, const char *geometry, const char *const *left_out,
    size_t left_out_count, parquet_sink sink, void *context, char *fault, size_t fault_size);

void parquet_close(struct parquet_file *file);

// Writing

enum parquet_kind { PARQUET_TEXT, PARQUET_INTEGER, PARQUET_NUMBER, PARQUET_FLAG, PARQUET_TIME, PARQUET_DAY };

struct parquet_column {
  const char *name;
  enum parquet_kind kind;
};

/// Writes the rows that arrive on the descriptor `from` as GeoParquet 1.1 to the descriptor `to`.
///
/// A row is the longitude and the latitude as doubles, then the value of each column, all little-endian: a
/// text, a time (RFC 3339, UTC) or a day (ISO 8601) is its length as 32 bits and its bytes, with the length
/// 0xFFFFFFFF for null; an integer or a number is one byte, 0 for null, and then 64 bits; a flag is one byte: 0,
/// 1, or 2 for null. An incomplete row at the end is an error.
enum parquet_result parquet_write(
    int from, int to, const struct parquet_column *columns, size_t column_count,
    const struct parquet_fact *facts, size_t fact_count, char *fault, size_t fault_size);

// Filtering

/// Counts the rows whose text in `column` is one of the lines of `texts`.
enum parquet_result parquet_count(
    struct parquet_file *file, const char *column, const char *texts, size_t length, int64_t *found,
    char *fault, size_t fault_size);

/// Writes a file of `parquet_write` to the descriptor `to` without these rows. Everything else in it stays the same.
enum parquet_result parquet_filter(
    struct parquet_file *file, int to, const char *column, const char *texts, size_t length, char *fault,
    size_t fault_size);

#ifdef __cplusplus
}
#endif

#endif
