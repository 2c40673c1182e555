-- 0023_bind_mail_tokens.sql
-- A token of a mail proves the one address that it was sent to, and a token for a program that may act
-- as a moderator or admin lasts 30 days at most.

-- All tokens of an account end when its address changes, whichever statement changes it. A token that
-- was mailed to the old address would otherwise confirm the new one, which its holder may not own.
CREATE TRIGGER account_address_ends_mail_tokens AFTER UPDATE OF email_key ON account
WHEN old.email_key <> new.email_key BEGIN
  DELETE FROM mail_token WHERE account_rowid = new.rowid;
END;

-- Tokens made before the limit of 30 days keep working for 30 days from now and no longer: each was
-- made with a session alone, without password, code or mail.
UPDATE personal_token SET expires_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+30 days')
WHERE (scopes LIKE '%"moderate"%' OR scopes LIKE '%"admin"%')
  AND expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+30 days');
