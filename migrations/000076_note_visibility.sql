-- A private note is for its author, the members whom it mentions, owners and admins. Existing notes are for the team.
alter table notes add column visibility text not null default 'team';
alter table notes add constraint notes_visibility_check check (visibility in ('team', 'private')) not valid;
alter table notes validate constraint notes_visibility_check;
alter table notes add column edited_at timestamptz(3);
comment on column notes.edited_at is 'when its author changed it; null: it is as it was written';
-- An email about a mention is sent only while the note still mentions its receiver.
alter table team_mails add column note_id uuid;
