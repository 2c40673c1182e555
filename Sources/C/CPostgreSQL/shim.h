#pragma once
#include <libpq-fe.h>

static inline void postgresql_ignore_notice(void *context, const PGresult *notice) {
  (void)context;
  (void)notice;
}

/// Discards warnings of the server, which libpq prints to the standard error otherwise.
static inline void postgresql_ignore_notices(PGconn *connection) {
  PQsetNoticeReceiver(connection, postgresql_ignore_notice, NULL);
}

// Fields of an error. Swift does not import constants that are characters.
enum postgresql_field {
  POSTGRESQL_SQLSTATE = PG_DIAG_SQLSTATE,
  POSTGRESQL_MESSAGE = PG_DIAG_MESSAGE_PRIMARY,
  POSTGRESQL_CONSTRAINT = PG_DIAG_CONSTRAINT_NAME,
};

// Object identifiers of built-in types (src/include/catalog/pg_type.dat). They are fixed; libpq's headers do not
// contain them.
enum postgresql_type {
  POSTGRESQL_BOOL = 16,
  POSTGRESQL_BYTEA = 17,
  POSTGRESQL_NAME = 19,
  POSTGRESQL_INT8 = 20,
  POSTGRESQL_INT2 = 21,
  POSTGRESQL_INT4 = 23,
  POSTGRESQL_TEXT = 25,
  POSTGRESQL_JSON = 114,
  POSTGRESQL_FLOAT4 = 700,
  POSTGRESQL_FLOAT8 = 701,
  POSTGRESQL_UNKNOWN = 705,
  POSTGRESQL_INT8_LIST = 1016,
  POSTGRESQL_BPCHAR = 1042,
  POSTGRESQL_VARCHAR = 1043,
  POSTGRESQL_NUMERIC = 1700,
};
