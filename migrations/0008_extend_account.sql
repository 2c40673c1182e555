-- 0008_extend_account.sql
-- A second factor that is being replaced, and numbers that are given once.

-- What a new app has been given, until it has shown a code: the old one holds until then.
ALTER TABLE account ADD COLUMN totp_pending BLOB CHECK (length(totp_pending) = 20);

-- The highest row that an account ever had. SQLite gives the row of one that was deleted to the next,
-- and the audit log, which outlives accounts, names people by their row.
CREATE TABLE account_number (last INTEGER NOT NULL);
INSERT INTO account_number SELECT coalesce(max(rowid), 0) FROM account;
CREATE TRIGGER account_number_is_given_once AFTER INSERT ON account BEGIN
  UPDATE account_number SET last = max(last, new.rowid);
END;
