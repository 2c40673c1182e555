-- 0038_share_between_servers.sql
-- What several servers on one database must agree on. SQLite has one server, which keeps this in memory and in files, so
-- there the tables stay empty.

-- Events that rate limits count: failed sign-ins, mails, reports. Not who caused them, only a keyed digest. On PostgreSQL
-- the table is not logged: it is empty after a takeover.
CREATE TABLE counted_event (
  rowid       INTEGER PRIMARY KEY,
  key         BLOB NOT NULL CHECK (length(key) = 16),  -- of the limit and of the account, network or address
  happened_at INTEGER NOT NULL,                        -- seconds since 1970
  ends_at     TEXT NOT NULL                            -- it counts until then
);
CREATE INDEX counted_event_by_key ON counted_event (key, happened_at);
CREATE INDEX counted_event_by_end ON counted_event (ends_at);

-- Work that one server at a time does.
CREATE TABLE lease (
  work    TEXT PRIMARY KEY,
  holder  TEXT NOT NULL,                               -- random; a server has a new one at each start
  ends_at INTEGER NOT NULL                             -- milliseconds since 1970, by the clock of the database
) WITHOUT ROWID;

-- Calls of webhooks that were accepted and are not in watch.called_through yet.
CREATE TABLE webhook_call (
  watch_rowid INTEGER NOT NULL REFERENCES watch (rowid) ON DELETE CASCADE,
  number      INTEGER NOT NULL,                        -- of watch_change
  PRIMARY KEY (watch_rowid, number)
) WITHOUT ROWID;
