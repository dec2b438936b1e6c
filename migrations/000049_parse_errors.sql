-- Why a résumé could not be parsed: a word of a fixed list, nothing of the file. Null for those that failed before.
alter table resumes add column parse_error text;
