-- Every single letter and pair of letters that stands in a company or a title, as written and in lower case. No index
-- finds so short a part; that a part stands nowhere is known from here, without a walk through the whole pool.
create table pool_short_parts (
  field text not null check (field in ('company', 'title')),
  part text collate "C" not null,
  primary key (field, part)
);
insert into pool_short_parts (field, part)
select distinct t.field, substr(s.spelling, i, n)
from (
    select distinct 'company' as field, company_name as value from pool_profiles where company_name is not null
    union all
    select distinct 'title', job_title from pool_profiles where job_title is not null
  ) as t,
  lateral (values (t.value), (lower(t.value))) as s (spelling), generate_series(1, length(s.spelling)) as i,
  generate_series(1, 2) as n;
