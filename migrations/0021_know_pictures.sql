-- 0021_know_pictures.sql
-- What each picture held when it was written, so that one that has changed is found.

ALTER TABLE media_file ADD COLUMN sha256 TEXT CHECK (length(sha256) = 64); -- of both, one after the other; NULL: kept before this
