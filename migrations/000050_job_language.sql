-- The language that a team chose for the texts of a job, in two letters of ISO 639-1. Null: the careers site detects it.
alter table jobs add column language text;
