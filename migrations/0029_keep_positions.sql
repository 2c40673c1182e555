-- A figure about requests follows from its members alone: how each stood, the days until the answer,
-- and the publication that took them in. People join and leave ten or more at a time, so whoever goes
-- stays counted until then, under a number that belongs to no account (docs/explanation/suppression.md).

CREATE TABLE outcome_member_next (
  outcome_rowid INTEGER NOT NULL REFERENCES outcome (rowid) ON DELETE CASCADE,
  person        INTEGER NOT NULL,                       -- the account's row; below zero: somebody who has gone
  standing      TEXT NOT NULL CHECK (standing IN ('asked', 'honoured', 'refused', 'overdue')),
  days          INTEGER CHECK (days >= 0),              -- until the answer; NULL: none yet
  since         INTEGER NOT NULL,                       -- days since 1970-01-01
  PRIMARY KEY (outcome_rowid, person)
) WITHOUT ROWID;
INSERT INTO outcome_member_next (outcome_rowid, person, standing, since)
SELECT outcome_rowid, account_rowid, standing, CAST(julianday(as_of) - 2440587.5 AS INTEGER)
FROM outcome_member JOIN outcome ON outcome.rowid = outcome_rowid;
-- Whoever had gone already is somebody who has gone. How they stood is not known any more.
WITH RECURSIVE gone (outcome_rowid, number, since) AS (
  SELECT outcome.rowid, people - (SELECT count(*) FROM outcome_member
    WHERE outcome_member.outcome_rowid = outcome.rowid),
    CAST(julianday(as_of) - 2440587.5 AS INTEGER)
  FROM outcome
  UNION ALL SELECT outcome_rowid, number - 1, since FROM gone WHERE number > 1
)
INSERT INTO outcome_member_next (outcome_rowid, person, standing, since)
SELECT outcome_rowid, -number, 'asked', since FROM gone WHERE number > 0;

DROP TRIGGER choice_leaves_outcomes;
DROP TABLE outcome_member;
ALTER TABLE outcome_member_next RENAME TO outcome_member;
CREATE INDEX outcome_member_by_person ON outcome_member (person);

-- What a person erases leaves no trace of whom they asked: their place in every figure gets a number
-- that nothing leads to.
CREATE TRIGGER choice_leaves_outcomes AFTER DELETE ON choice BEGIN
  UPDATE outcome_member
  SET person = (SELECT min(person, 0) - 1 FROM outcome_member ORDER BY person LIMIT 1)
  WHERE person = old.account_rowid;
END;
CREATE TRIGGER account_leaves_outcomes BEFORE DELETE ON account BEGIN
  UPDATE outcome_member
  SET person = (SELECT min(person, 0) - 1 FROM outcome_member ORDER BY person LIMIT 1)
  WHERE person = old.rowid;
END;
