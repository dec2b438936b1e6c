-- URLs of jobs, scorecards and applicants were checked loosely before they were stored. What can be written in the
-- characters of a URI is escaped; what is no URL at all is removed, since readers parse these fields.
create function pg_temp.as_uri(given text) returns text language sql immutable as $$
  select case when escaped ~
    '^https?://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]*[A-Za-z0-9][A-Za-z0-9._-]*)(:[0-9]*)?(/([A-Za-z0-9._~!$&''()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(\?([A-Za-z0-9._~!$&''()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?(#([A-Za-z0-9._~!$&''()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$'
    then escaped end
  from (
    select case when given ~ '^https?://\[' then given else (
      select string_agg(case when letter ~ '^[A-Za-z0-9._~!$&''()*+,;=:@/?#%-]$' then letter
        else regexp_replace(upper(encode(convert_to(letter, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end, '' order by place)
      from regexp_split_to_table(given, '') with ordinality as letters (letter, place)
    ) end as escaped
  ) e
$$;

update jobs set
  external_apply_url = pg_temp.as_uri(external_apply_url),
  source_company_logo_url = pg_temp.as_uri(source_company_logo_url),
  source_canonical_url = pg_temp.as_uri(source_canonical_url)
where external_apply_url is distinct from pg_temp.as_uri(external_apply_url)
  or source_company_logo_url is distinct from pg_temp.as_uri(source_company_logo_url)
  or source_canonical_url is distinct from pg_temp.as_uri(source_canonical_url);

update scorecards set report_url = pg_temp.as_uri(report_url)
where report_url is distinct from pg_temp.as_uri(report_url);

update applicants set linkedin_url = pg_temp.as_uri(linkedin_url), github_url = pg_temp.as_uri(github_url),
  portfolio_url = pg_temp.as_uri(portfolio_url)
where linkedin_url is distinct from pg_temp.as_uri(linkedin_url)
  or github_url is distinct from pg_temp.as_uri(github_url)
  or portfolio_url is distinct from pg_temp.as_uri(portfolio_url);

drop function pg_temp.as_uri;
