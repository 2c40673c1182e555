-- 0005_create_account.sql
-- People with an account, and the keys they hold. What stands here is private: only the username and
-- the day of joining are ever shown to others. An account that is deleted leaves no row.

CREATE TABLE account (
  rowid             INTEGER PRIMARY KEY,
  id                TEXT NOT NULL UNIQUE CHECK (length(id) = 36),        -- UUIDv7
  username          TEXT NOT NULL CHECK (length(username) BETWEEN 3 AND 40),
  username_key      TEXT NOT NULL UNIQUE,                                -- the name folded: one of each look
  email             TEXT NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  email_key         TEXT NOT NULL,                                       -- the address folded
  password_hash     TEXT NOT NULL CHECK (password_hash GLOB '$argon2id$*'),
  locale            TEXT NOT NULL CHECK (length(locale) BETWEEN 2 AND 10),
  role              TEXT NOT NULL DEFAULT 'contributor'
    CHECK (role IN ('contributor', 'operator', 'moderator', 'admin')),
  operator_rowid    INTEGER REFERENCES operator (rowid),                 -- the organisation of an operator
  created_at        TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at)),
  terms_accepted_at TEXT NOT NULL,
  confirmed_at      TEXT,                                                -- the e-mail is theirs; NULL: lapses after 7 days
  accepted_edits    INTEGER NOT NULL DEFAULT 0 CHECK (accepted_edits >= 0), -- contributions that a look or a day has let stand
  suspended_at      TEXT,
  suspended_until   TEXT,                                                -- NULL while suspended: for good
  suspended_reason  TEXT,
  totp_secret       BLOB CHECK (length(totp_secret) = 20),               -- RFC 6238, shared with the person's app
  totp_confirmed_at TEXT,                                                -- NULL: being enrolled
  totp_last_step    INTEGER                                              -- a code is good once
);
-- An address belongs to the one account that has confirmed it. Others may claim it, in vain, so that
-- nobody learns from a refusal who is registered.
CREATE UNIQUE INDEX account_by_confirmed_email ON account (email_key) WHERE confirmed_at IS NOT NULL;
CREATE INDEX account_by_email ON account (email_key);
CREATE INDEX account_unconfirmed ON account (created_at) WHERE confirmed_at IS NULL;
CREATE INDEX account_by_role ON account (role) WHERE role <> 'contributor';

CREATE TABLE recovery_code (
  account_rowid INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  digest        BLOB NOT NULL CHECK (length(digest) = 32),               -- SHA-256
  PRIMARY KEY (account_rowid, digest)
) WITHOUT ROWID;

-- A browser that is signed in.
CREATE TABLE session (
  rowid         INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),            -- what its owner ends it by
  account_rowid INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  digest        BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),        -- SHA-256 of the cookie
  agent         TEXT,                                                    -- `Firefox · Linux`, nothing finer
  created_at    TEXT NOT NULL,
  last_seen_on  TEXT NOT NULL CHECK (last_seen_on IS date(last_seen_on)),
  expires_at    TEXT NOT NULL
);
CREATE INDEX session_by_account ON session (account_rowid);
CREATE INDEX session_by_expiry ON session (expires_at);

-- A key for a program of its owner's.
CREATE TABLE personal_token (
  rowid         INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  account_rowid INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  name          TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  scopes        TEXT NOT NULL,                                           -- JSON array
  digest        BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
  created_at    TEXT NOT NULL,
  last_used_on  TEXT CHECK (last_used_on IS date(last_used_on)),
  expires_at    TEXT NOT NULL
);
CREATE INDEX personal_token_by_account ON personal_token (account_rowid);
CREATE INDEX personal_token_by_expiry ON personal_token (expires_at);

-- A key that goes out by mail: good once, for one thing, for a while.
CREATE TABLE mail_token (
  digest        BLOB PRIMARY KEY CHECK (length(digest) = 32),
  account_rowid INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  kind          TEXT NOT NULL CHECK (kind IN ('confirm', 'email', 'reset')),
  email         TEXT,                                                    -- the address it proves
  created_at    TEXT NOT NULL,
  expires_at    TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX mail_token_by_account ON mail_token (account_rowid, kind);
CREATE INDEX mail_token_by_expiry ON mail_token (expires_at);

-- Networks that an account has signed in from, so that guessing from elsewhere locks nobody out. The
-- address stands here only as a keyed digest, and for 90 days.
CREATE TABLE known_network (
  account_rowid INTEGER NOT NULL REFERENCES account (rowid) ON DELETE CASCADE,
  digest        BLOB NOT NULL CHECK (length(digest) = 32),
  last_seen_on  TEXT NOT NULL CHECK (last_seen_on IS date(last_seen_on)),
  PRIMARY KEY (account_rowid, digest)
) WITHOUT ROWID;
CREATE INDEX known_network_by_day ON known_network (last_seen_on);

-- Mail that waits to be sent; a job of kind `mail` takes it and erases it.
CREATE TABLE mail (
  rowid         INTEGER PRIMARY KEY,
  account_rowid INTEGER REFERENCES account (rowid) ON DELETE CASCADE,    -- goes with the account; NULL: to somebody without one
  address       TEXT NOT NULL,
  language      TEXT NOT NULL,
  template      TEXT NOT NULL,
  arguments     TEXT NOT NULL,                                           -- JSON object of texts
  link          TEXT,                                                    -- path and fragment, without the host
  created_at    TEXT NOT NULL,
  expires_at    TEXT                                                     -- not worth sending after it
);
CREATE INDEX mail_by_account ON mail (account_rowid) WHERE account_rowid IS NOT NULL;
