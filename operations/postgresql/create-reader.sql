-- The role with which Farol's reads run, and the rights of the user `farol`. create-database.sql runs this file. Run it
-- alone, as a superuser, for a database that was made by hand or loaded from a dump, and to take the right CREATEROLE from
-- the user of an earlier installation:
--   sudo --user=postgres psql --dbname=farol --file=create-reader.sql
\set ON_ERROR_STOP on
-- The name contains the number of the database, because roles are common to all databases of a cluster.
SELECT 'farol_reader_' || oid AS reader, NOT EXISTS (
  SELECT 1 FROM pg_roles WHERE rolname = 'farol_reader_' || pg_database.oid) AS is_new
FROM pg_database WHERE datname = current_database() \gset
\if :is_new
CREATE ROLE :"reader" NOLOGIN;
\endif
GRANT :"reader" TO farol;
-- With CREATEROLE a user of PostgreSQL 15 can run programs on the machine (pg_execute_server_program).
ALTER ROLE farol NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS;
