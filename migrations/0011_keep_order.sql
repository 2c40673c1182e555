-- 0011_keep_order.sql
-- What keeping order looks up: who has flagged what, what an act closed and changed, and all that was
-- done with power to one thing.

-- One open flag of a person per target; a second one says it anew.
CREATE UNIQUE INDEX flag_once ON flag (account_rowid, target_type, target_id)
  WHERE outcome IS NULL AND account_rowid IS NOT NULL;
CREATE INDEX flag_by_device ON flag (device_rowid) WHERE device_rowid IS NOT NULL;
CREATE INDEX flag_by_action ON flag (action_rowid) WHERE action_rowid IS NOT NULL;
-- Addresses that wait to be erased.
CREATE INDEX flag_with_email ON flag (created_at) WHERE email IS NOT NULL;

CREATE INDEX review_by_action ON review (action_rowid) WHERE action_rowid IS NOT NULL;
CREATE INDEX review_by_photo ON review (photo_rowid) WHERE photo_rowid IS NOT NULL;
CREATE INDEX review_by_verdict ON review (verdict_rowid) WHERE verdict_rowid IS NOT NULL;

CREATE INDEX moderation_action_by_account ON moderation_action (account_rowid)
  WHERE account_rowid IS NOT NULL;

-- The log of moderators is the audit; an act of theirs is found from its entry. Triggers keep entries
-- from being changed, so the column is filled when one is made.
ALTER TABLE audit ADD COLUMN action_rowid INTEGER REFERENCES moderation_action (rowid);
CREATE INDEX audit_by_action ON audit (action_rowid) WHERE action_rowid IS NOT NULL;
CREATE INDEX audit_by_target ON audit (target, rowid);

-- The revisions that an act made, which taking it back takes back.
CREATE TABLE moderation_revision (
  action_rowid INTEGER NOT NULL REFERENCES moderation_action (rowid) ON DELETE CASCADE,
  device_rowid INTEGER NOT NULL REFERENCES device (rowid) ON DELETE CASCADE,
  number       INTEGER NOT NULL,
  PRIMARY KEY (action_rowid, device_rowid)
) WITHOUT ROWID;
CREATE INDEX moderation_revision_by_device ON moderation_revision (device_rowid);

-- Imports from a browser: who asked, and whether only to see what would happen.
ALTER TABLE import_run ADD COLUMN account_rowid INTEGER REFERENCES account (rowid) ON DELETE SET NULL;
ALTER TABLE import_run ADD COLUMN dry_run INTEGER NOT NULL DEFAULT 0 CHECK (dry_run IN (0, 1));

-- Devices out of sight are few among many.
CREATE INDEX device_hidden ON device (hidden) WHERE hidden <> 0;
