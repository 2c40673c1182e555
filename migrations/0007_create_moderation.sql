-- 0007_create_moderation.sql
-- Keeping order: what people point at, what waits for a look, what was decided, what was deleted.

-- Somebody points at something. `target_id` is the public id of the device, photo or account; it
-- outlives them. A report comes from somebody without an account, whose address is kept for the answer.
CREATE TABLE flag (
  rowid            INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  kind             TEXT NOT NULL CHECK (kind IN ('flag', 'report')),
  target_type      TEXT NOT NULL CHECK (target_type IN ('device', 'photo', 'account')),
  target_id        TEXT NOT NULL,
  device_rowid     INTEGER REFERENCES device (rowid) ON DELETE SET NULL, -- where the target is one or hangs on one
  about_rowid      INTEGER REFERENCES account (rowid) ON DELETE SET NULL, -- whose contribution it is
  account_rowid    INTEGER REFERENCES account (rowid) ON DELETE SET NULL, -- who points
  email            TEXT CHECK (kind = 'report' OR email IS NULL),        -- erased with the answer, at the latest after 90 days
  locale           TEXT NOT NULL,
  reason           TEXT NOT NULL CHECK (reason IN ('wrong_place', 'gone', 'never_there', 'duplicate',
    'personal_data', 'offensive', 'spam', 'copyright', 'other')),
  note             TEXT CHECK (length(note) <= 1000),
  created_at       TEXT NOT NULL,
  outcome          TEXT CHECK (outcome IN ('upheld', 'dismissed')),      -- NULL: open
  closed_at        TEXT,
  action_rowid     INTEGER REFERENCES moderation_action (rowid)          -- what closed it
);
CREATE INDEX flag_open ON flag (target_type, target_id) WHERE outcome IS NULL;
CREATE INDEX flag_about ON flag (about_rowid) WHERE about_rowid IS NOT NULL;
CREATE INDEX flag_by_account ON flag (account_rowid) WHERE account_rowid IS NOT NULL;
CREATE INDEX flag_by_time ON flag (created_at);

-- A first contribution of a new account: public, but marked for a look (photos wait for it).
CREATE TABLE review (
  rowid         INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  kind          TEXT NOT NULL CHECK (kind IN ('contribution', 'photo', 'verdict')),
  device_rowid  INTEGER NOT NULL REFERENCES device (rowid) ON DELETE CASCADE,
  number        INTEGER,                                                 -- the revision, of a contribution
  photo_rowid   INTEGER REFERENCES photo (rowid) ON DELETE CASCADE,
  verdict_rowid INTEGER REFERENCES verdict (rowid) ON DELETE CASCADE,
  account_rowid INTEGER REFERENCES account (rowid) ON DELETE SET NULL,
  created_at    TEXT NOT NULL,
  outcome       TEXT CHECK (outcome IN ('accepted', 'refused')),         -- NULL: open
  closed_at     TEXT,
  action_rowid  INTEGER REFERENCES moderation_action (rowid)
);
CREATE INDEX review_open ON review (created_at) WHERE outcome IS NULL;
CREATE INDEX review_by_device ON review (device_rowid) WHERE outcome IS NULL;
CREATE INDEX review_by_account ON review (account_rowid) WHERE outcome IS NULL;

-- What a moderator or admin did, why, and how to take it back.
CREATE TABLE moderation_action (
  rowid         INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  action        TEXT NOT NULL CHECK (action IN ('hide', 'restore', 'revert', 'redact', 'merge', 'warn',
    'suspend', 'unsuspend', 'dismiss', 'accept', 'delete')),
  target_type   TEXT NOT NULL CHECK (target_type IN ('device', 'photo', 'account', 'review', 'flag')),
  target_id     TEXT NOT NULL,
  account_rowid INTEGER REFERENCES account (rowid) ON DELETE SET NULL,   -- who acted
  role          TEXT NOT NULL,                                           -- as what
  reason        TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  undo          TEXT NOT NULL DEFAULT '{}',                              -- JSON: what taking it back needs
  made_at       TEXT NOT NULL,
  undone_at     TEXT,
  undone_by     INTEGER REFERENCES account (rowid) ON DELETE SET NULL
);
CREATE INDEX moderation_action_by_target ON moderation_action (target_type, target_id);

-- A device that was deleted: enough to say so for good, and nothing of what it said.
CREATE TABLE tombstone (
  id            TEXT PRIMARY KEY CHECK (length(id) = 36),                -- the device's own
  deleted_at    TEXT NOT NULL,
  role          TEXT NOT NULL,                                           -- of who deleted it
  account_rowid INTEGER REFERENCES account (rowid) ON DELETE SET NULL,
  reason        TEXT NOT NULL CHECK (reason IN ('admin', 'merged', 'personal_data', 'never_there',
    'duplicate', 'offensive', 'spam', 'copyright', 'other')),            -- a code: no free text is public
  note          TEXT,                                                    -- the reason in words, for moderators
  merged_into   TEXT
) WITHOUT ROWID;

-- What a deleted device said, for undoing only; erased for good with its day.
CREATE TABLE tombstone_content (
  id        TEXT PRIMARY KEY REFERENCES tombstone (id) ON DELETE CASCADE,
  name      TEXT NOT NULL,
  content   TEXT NOT NULL,                                               -- JSON of its rows
  erase_on  TEXT NOT NULL CHECK (erase_on IS date(erase_on))
) WITHOUT ROWID;
CREATE INDEX tombstone_content_by_name ON tombstone_content (name);
CREATE INDEX tombstone_content_by_day ON tombstone_content (erase_on);
