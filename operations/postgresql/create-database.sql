-- The user and the database of Farol. Run once on the primary, as the superuser:
--   psql --host=127.0.0.1 --port=5000 --username=postgres --set=password='…' --file=create-database.sql postgres
\set ON_ERROR_STOP on
-- Farol creates a role that may not read true positions (docs/how-to/postgresql.md).
CREATE ROLE farol LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE farol OWNER farol ENCODING UTF8 LOCALE 'C' TEMPLATE template0;
\connect farol
CREATE EXTENSION postgis;
