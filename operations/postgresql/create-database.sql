-- The user and the database of Farol. Run once on the machine of the primary, as the superuser:
--   sudo --user=postgres psql --set=password='…' --file=create-database.sql
\set ON_ERROR_STOP on
CREATE ROLE farol LOGIN PASSWORD :'password';
CREATE DATABASE farol OWNER farol ENCODING UTF8 LOCALE 'C' TEMPLATE template0;
\connect farol
CREATE EXTENSION postgis;
\ir create-reader.sql
