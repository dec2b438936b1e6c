import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMigrations } from './migrate.ts'
import { splitStatements } from './statements.ts'

test('statements of a script: strings, names, comments and bodies of functions keep their semicolons', () => {
  const script = `-- one; not two
    insert into a values (';', 'it''s; '), ($$ ; $$); /* ; */
    create function f() returns void language sql as $body$ select 1; select '$$;' $body$;
    ;; -- nothing; here
    select ";" from "a;b"`
  assert.deepEqual(
    splitStatements(script).map(statement => statement.replaceAll(/\s+/g, ' ')),
    [
      "-- one; not two insert into a values (';', 'it''s; '), ($$ ; $$)",
      "/* ; */ create function f() returns void language sql as $body$ select 1; select '$$;' $body$",
      '-- nothing; here select ";" from "a;b"',
    ],
  )
  assert.deepEqual(splitStatements(' -- nothing\n;'), [])
})

test('statements of a script: nothing of a migration is lost', () => {
  const bare = (text: string) => text.replaceAll(/--[^\n]*|[\s;]/g, '')
  for (const { name, text } of readMigrations()) assert.equal(bare(splitStatements(text).join(';\n')), bare(text), name)
})
