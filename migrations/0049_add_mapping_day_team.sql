-- 0049_add_mapping_day_team.sql
-- Optional teams of a mapping day. Only numbers of a team are shown, never who is in it.

ALTER TABLE mapping_day ADD COLUMN teams TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(teams)); -- JSON list of names

-- The team of a participant; NULL: none.
ALTER TABLE mapping_day_participant ADD COLUMN team TEXT CHECK (length(team) BETWEEN 1 AND 40);

-- The team of the participant; NULL: none, or fewer than three people when the day ended.
ALTER TABLE mapping_day_contribution ADD COLUMN team TEXT CHECK (length(team) BETWEEN 1 AND 40);
