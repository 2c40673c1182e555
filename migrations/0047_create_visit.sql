-- 0047_create_visit.sql
-- Keeps the number of the tables of visits, which another change adds.

SELECT 1;
