import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOfMigrations, migrationFaults } from '../../tools/migration-check.ts'

const REFUSED: readonly (readonly [what: string, script: string, why: RegExp])[] = [
  ['an index of a large table', 'create index a on applications (id)', /build it concurrently/],
  ['a unique index', 'CREATE UNIQUE INDEX IF NOT EXISTS a ON public.applications (id)', /build it concurrently/],
  ['a concurrent index inside a transaction', 'create index concurrently a on jobs (id)', /begins with/],
  ['reindex', 'reindex table jobs', /reindex concurrently/],
  ['a column with a volatile default', 'alter table jobs add column a uuid default gen_random_uuid()', /every row/],
  ['a column with an unknown default', 'alter table jobs add a text default make_it(1)', /every row/],
  ['a generated column', 'alter table jobs add column a int generated always as (1) stored', /every row/],
  ['a serial column', 'alter table jobs add column a bigserial', /every row/],
  ['a column with a check', "alter table jobs add column a text default 'x' check (a in ('x'))", /not valid/],
  [
    'a column with reference and default',
    "alter table jobs add column a text default 'x' references users",
    /not valid/,
  ],
  ['a unique column', 'alter table jobs add column a text unique', /concurrently/],
  [
    'a column that old processes do not fill',
    'alter table workspaces add column a text not null',
    /insert rows without/,
  ],
  [
    'the second of two columns',
    'alter table jobs add column b text, add column a text not null',
    /insert rows without/,
  ],
  ['set not null', 'alter table jobs alter column title set not null', /is not null/],
  ['a foreign key', 'alter table jobs add constraint a foreign key (b) references users (id)', /not valid/],
  ['a check', 'alter table jobs add check (title is not null)', /not valid/],
  ['a primary key', 'alter table jobs add primary key (id)', /concurrently/],
  ['another type', 'alter table jobs alter column title type varchar(20)', /add another column/],
  ['another tablespace', 'alter table jobs set tablespace fast', /every row/],
  ['an update of a whole table', "update jobs set title = ''", /in batches/],
  ['a delete', 'delete from applications', /in batches/],
  ['an update inside with', 'with a as (select 1) update jobs set title = 1', /in batches/],
  ['lock table', 'lock table jobs in share mode', /locks a table/],
  ['truncate', 'truncate jobs', /locks a table/],
  ['drop of a column', 'alter table workspaces drop column name', /may still use/],
  ['drop of a column without the word', 'alter table jobs drop title', /may still use/],
  ['drop of a table', 'drop table if exists jobs', /may still use/],
  ['another name of a column', 'alter table workspaces rename column name to title', /old name/],
  ['another name of a table', 'alter table jobs rename to posts', /old name/],
]

for (const [what, script, why] of REFUSED) {
  test(`migrations: ${what} is refused`, () => {
    const faults = migrationFaults(`-- about it\ncreate table other (id text);\n${script};\n`)
    assert.equal(faults.length, 1, faults.join('\n'))
    assert.match(faults[0]!, why)
  })
}

const ACCEPTED: readonly (readonly [what: string, script: string])[] = [
  [
    'a new table with its indexes and keys',
    `create table a (id text primary key, b text not null check (b <> ''), c text references jobs);
     create index a_b on a (b); alter table a add constraint x unique (b); insert into a values ('1', 'lock table jobs');
     update a set b = '1';`,
  ],
  ['a column that may be null', 'alter table jobs add column a text'],
  ['a column with a constant', "alter table jobs add column a text not null default 'x', add b int default (0)"],
  ['a column with the time of now', 'alter table jobs add column a timestamptz(3) not null default app_now()'],
  ['a column with a reference and no default', 'alter table applications add column a text references users (id)'],
  ['a small table', "alter table workspaces add column a text not null default 'x' check (a <> '')"],
  ['a check that is not valid', 'alter table jobs add constraint a check (title is not null) not valid'],
  [
    'its validation, and then not null',
    'alter table jobs validate constraint a; alter table jobs alter title set not null',
  ],
  ['drop of a constraint', 'alter table jobs drop constraint a, alter column title drop not null'],
  [
    'the body of a function',
    'create function a() returns void language sql as $$ delete from jobs; lock table jobs; $$',
  ],
  ['a comment', '-- drop table jobs;\n/* truncate jobs; */ select 1'],
  ['a trigger', 'drop trigger a on jobs; create trigger a after update on jobs for each row execute function b()'],
  ['an index that is built concurrently', '-- outside a transaction\ncreate index concurrently a on jobs (id)'],
  ['an update in batches', '-- in batches\nwith b as (update jobs set title = 1 returning 1) select count(*) from b'],
  ['what a reason allows', '-- allowed: the table holds one row for each day\nupdate jobs set title = 1'],
  ['what the last release does not use', '-- contract: unused since 0.3.0, which stopped reading it\ndrop table jobs'],
]

for (const [what, script] of ACCEPTED) {
  test(`migrations: ${what} is accepted`, () => assert.deepEqual(migrationFaults(`${script};`), []))
}

test('migrations: a reason must be one, and is written before the statement that it is about', () => {
  assert.equal(migrationFaults('-- allowed: yes\nupdate jobs set title = 1;').length, 1)
  assert.equal(migrationFaults('-- allowed: the table holds one row for each day\nselect 1;\ntruncate jobs;').length, 1)
})

test('migrations: none of this repository locks a large table for long, or takes away what the last release uses', () => {
  assert.deepEqual(faultsOfMigrations(), [])
})
