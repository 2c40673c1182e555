-- 0024_confirm_contacts.sql
-- Letters carry the name and address of a person. They are mailed to an address that was proven: one at a
-- domain that was checked by mail or by a file, or the contact whose owner has pressed a mailed link.
-- Contacts from before this migration are not proven until then; their letters go to the account.

ALTER TABLE organisation ADD COLUMN confirmed_contact TEXT; -- an e-mail address in small letters
