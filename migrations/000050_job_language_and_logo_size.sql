-- The language that a team chose for the texts of a job, in two letters of ISO 639-1. Null: the careers site detects it.
alter table jobs add column language text;

-- In pixels, so that pages reserve the space of a logo. Null: it was stored before this column.
alter table career_sites add column logo_width integer, add column logo_height integer;
