-- 0027_know_lookalikes.sql
-- What a username looks like (Unicode Technical Standard 39 and a little more, `LookAlikes`). A new name
-- that looks like another is refused. Names of before may look alike, so it is not unique; the next start
-- fills the column where it is NULL.

ALTER TABLE account ADD COLUMN username_look TEXT;
CREATE INDEX account_by_look ON account (username_look);
CREATE INDEX account_without_look ON account (rowid) WHERE username_look IS NULL;
