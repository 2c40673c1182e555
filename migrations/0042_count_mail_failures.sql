-- 0042_count_mail_failures.sql
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

-- The time at which the server of a webhook met the challenge. Nothing else is sent to it before.
ALTER TABLE watch ADD COLUMN webhook_proven_at TEXT;

-- A server that has accepted a call since the last change of the watch needs no challenge.
UPDATE watch SET webhook_proven_at = (
  SELECT max(sent_at) FROM watch_sent
  WHERE watch_sent.watch_rowid = watch.rowid AND channel = 'webhook' AND outcome = 'sent'
    AND sent_at >= watch.renewed_at)
WHERE webhook IS NOT NULL;
