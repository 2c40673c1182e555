// SQLite and SpatiaLite as packaged by Debian, with wrappers for what Swift cannot call: variadic
// functions and cast macros.

#ifndef FAROL_CSPATIALITE_H
#define FAROL_CSPATIALITE_H

#include <sqlite3.h>
#include <spatialite.h>

/// `sqlite3_config` is variadic. Without memory statistics, allocations do not take a global lock on
/// which readers on several threads would wait.
static inline int sqlite_without_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// `sqlite3_db_config` is variadic. Returns SQLite's result code.
static inline int sqlite_set_option(sqlite3 *connection, int option, int on) {
  return sqlite3_db_config(connection, option, on, (int *)0);
}

/// `SQLITE_TRANSIENT` is a cast macro: SQLite copies the text.
static inline int sqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, int length) {
  return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

/// `SQLITE_TRANSIENT` is a cast macro: SQLite copies the bytes.
static inline int sqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int length) {
  return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}

/// `SQLITE_TRANSIENT` is a cast macro: SQLite copies the text.
static inline void sqlite_result_text(sqlite3_context *context, const char *text, int length) {
  sqlite3_result_text(context, text, length, SQLITE_TRANSIENT);
}

#endif
