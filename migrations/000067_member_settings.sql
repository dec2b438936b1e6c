-- What a member chose for the pages; without a row, nothing.
create table member_settings (
  workspace_id handle not null,
  user_id handle not null,
  language text,
  time_zone text,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);
comment on column member_settings.language is 'of the hiring pages; null: that of the browser';
comment on column member_settings.time_zone is 'an IANA name; null: that of the browser';
