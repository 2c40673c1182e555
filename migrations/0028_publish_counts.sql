-- Counts on public profiles come from a table that a job fills once a day, so that no count moves when
-- somebody acts. Times of verdicts are days. Words go with the person who wrote them.

-- What a profile shows (docs/explanation/claims.md).
CREATE TABLE profile_count (
  account_rowid INTEGER PRIMARY KEY REFERENCES account (rowid) ON DELETE CASCADE,
  devices INTEGER NOT NULL DEFAULT 0 CHECK (devices >= 0),
  edits   INTEGER NOT NULL DEFAULT 0 CHECK (edits >= 0),
  claims  INTEGER NOT NULL DEFAULT 0 CHECK (claims >= 0),
  photos  INTEGER NOT NULL DEFAULT 0 CHECK (photos >= 0),
  upheld  INTEGER NOT NULL DEFAULT 0 CHECK (upheld >= 0)               -- flags about it that were upheld
);
-- Until the first run of the job: what profiles showed until now.
INSERT INTO profile_count (account_rowid, devices, edits, claims, photos, upheld)
SELECT account.rowid,
  (SELECT count(*) FROM device WHERE device.account_rowid = account.rowid AND hidden = 0),
  (SELECT count(*) FROM revision JOIN device ON device.rowid = revision.device_rowid
    WHERE revision.account_rowid = account.rowid AND revision.kind IN ('edit', 'restore')
      AND device.hidden = 0),
  (SELECT count(*) FROM verdict JOIN device ON device.rowid = verdict.device_rowid
    WHERE verdict.account_rowid = account.rowid AND device.hidden = 0),
  (SELECT count(*) FROM photo JOIN device ON device.rowid = photo.device_rowid
    WHERE photo.account_rowid = account.rowid AND photo.state = 'public' AND device.hidden = 0),
  (SELECT count(DISTINCT coalesce(action_rowid, -rowid)) FROM flag
    WHERE about_rowid = account.rowid AND outcome = 'upheld')
FROM account;

-- One more kind of publication.
CREATE TABLE publication_next (
  kind TEXT PRIMARY KEY CHECK (kind IN ('outcomes', 'people', 'profiles')),
  day  TEXT NOT NULL CHECK (day IS date(day))
) WITHOUT ROWID;
INSERT INTO publication_next SELECT kind, day FROM publication;
DROP TABLE publication;
ALTER TABLE publication_next RENAME TO publication;

-- The last confirmation is told by its day.
UPDATE device SET last_confirmed = substr(last_confirmed, 1, 10) || 'T00:00:00Z'
WHERE last_confirmed IS NOT NULL AND substr(last_confirmed, 11) <> 'T00:00:00Z';

-- What somebody wrote beside a change or a verdict goes with the account; the change and the verdict
-- stay without a name. Words of people who have gone before go now.
CREATE TRIGGER account_takes_words BEFORE DELETE ON account BEGIN
  UPDATE revision SET comment = NULL
  WHERE account_rowid = old.rowid AND comment IS NOT NULL;
  UPDATE verdict SET note = NULL WHERE account_rowid = old.rowid AND note IS NOT NULL;
END;
UPDATE revision SET comment = NULL
WHERE account_rowid IS NULL AND import_rowid IS NULL AND comment IS NOT NULL
  AND kind IN ('add', 'edit', 'restore');
UPDATE verdict SET note = NULL WHERE account_rowid IS NULL AND note IS NOT NULL;
