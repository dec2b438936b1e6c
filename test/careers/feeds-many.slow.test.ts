import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import { startCareers } from './setup.ts'

const { addJob, db, newSite } = await startCareers()

test('careers feeds: 10 000 jobs are sent without holding other requests or the whole text in memory', async () => {
  const site = await newSite()
  const { id } = await addJob(site, {
    title: 'Many',
    locations: ['Berlin, Germany'],
    content: {
      summary: 'x',
      description_md: `## Work\n\n${'You join a small team that owns its part of the product. '.repeat(40)}`,
    },
  })
  const { columns } = (await db.one(sql<{ columns: string }>`
    select string_agg(column_name, ', ') as columns from information_schema.columns
    where table_schema = current_schema and table_name = 'jobs'
      and column_name not in ('id', 'slug', 'number', 'dial_in_code', 'published_at', 'description_md')`))!
  const addCopies = (first: number, last: number) =>
    db.transaction(async tx => {
      // without the triggers of the search, which take most of the time
      await tx.query(sql`set local session_replication_role = 'replica'`)
      await tx.query(sql`
        insert into jobs (id, slug, published_at, description_md, ${raw(columns)})
        select left(id, 10) || lpad(n::text, 14, '0'), slug || '-' || n, published_at + n * interval '1 second',
          description_md || n, ${raw(columns)}
        from jobs, generate_series(${first}::int, ${last}::int) n where workspace_id = ${site.workspace} and id = ${id}`)
    })
  // what a feed of any length takes is not measured: compiled code, threads that render texts, young objects
  await addCopies(1, 999)
  await (await fetch(`${site.url}/jobs.xml`)).text()
  await addCopies(1000, 9999)
  const before = process.memoryUsage.rss()
  let most = 0
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  for (const [file, mark, least] of [
    ['/jobs.xml', '<job>', 10_000],
    ['/sitemap.xml', '<loc>', 10_001],
    ['/jobs.json', '"id":', 1000],
  ] as const) {
    const response = await fetch(site.url + file)
    let found = 0
    let rest = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const text = rest + chunk
      found += text.split(mark).length - 1
      rest = text.slice(text.lastIndexOf(mark) + 1).slice(-mark.length)
      most = Math.max(most, process.memoryUsage.rss() - before)
    }
    assert.equal(found, least, file)
  }
  delay.disable()
  // a busy machine delays everything: far above the slices of 3 ms, far below the seconds that it takes as a whole
  assert.ok(delay.percentile(99) / 1e6 < 250, `${delay.percentile(99) / 1e6} ms`)
  assert.ok(most < 200e6, `${most} bytes more`)
})
