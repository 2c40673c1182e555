-- An organisation can be asked for its records by its name. Whoever asks learns the name they asked
-- for, and not which account speaks for it.

ALTER TABLE data_request ADD COLUMN asked_as TEXT CHECK (length(asked_as) BETWEEN 1 AND 200); -- NULL: by username

CREATE TRIGGER account_leaves_asked_name BEFORE DELETE ON account BEGIN
  UPDATE data_request SET asked_as = NULL WHERE asked_rowid = old.rowid AND asked_as IS NOT NULL;
END;
