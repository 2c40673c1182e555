-- The days on which mails to the address of an account failed, for a reason that may pass. Five days end the mails of
-- watches (mail_refusal); a week without a failure ends the row.
CREATE TABLE mail_failure (
  account_rowid INTEGER PRIMARY KEY REFERENCES account (rowid) ON DELETE CASCADE,
  address       TEXT NOT NULL,
  days          INTEGER NOT NULL,
  last_on       TEXT NOT NULL
);

-- Profiles no longer have a number of verdicts (docs/explanation/claims.md).
UPDATE profile_count SET claims = 0 WHERE claims <> 0;
