-- 0031_name_categories_in_everyday_words.sql
-- Further words for a category in one language, such as "CCTV" or "speed trap". The search finds categories by
-- them, and pages recognise by them a name that only repeats the category.

ALTER TABLE translation ADD COLUMN words TEXT NOT NULL DEFAULT '[]'; -- JSON array
