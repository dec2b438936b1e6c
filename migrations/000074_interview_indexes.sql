-- outside a transaction: indexes of tables that are in use.
-- What was mailed about an interview, and requests for scorecards whose email is not sent yet.
create index concurrently if not exists team_mails_interview on team_mails (workspace_id, interview_id)
  where interview_id is not null;
create index concurrently if not exists candidate_mails_interview on candidate_mails (workspace_id, interview_id)
  where interview_id is not null;
create index concurrently if not exists scorecard_requests_due on scorecard_requests (due_at)
  where due_at is not null and mailed_at is null;
