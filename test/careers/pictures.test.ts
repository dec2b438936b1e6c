import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { editJob } from '../../src/resources/jobs/index.ts'
import { jpegsWithTwo } from './pictures.ts'
import { startCareers, type TestSite } from './setup.ts'

const { addJob, db, newSite, service } = await startCareers()

/** The pixels of a picture, read by its decoder. */
async function pixelsOf(png: Buffer) {
  const image = await loadImage(png)
  const canvas = createCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, image.width, image.height)
  const at = (x: number, y: number) => [...data.subarray((y * image.width + x) * 4, (y * image.width + x) * 4 + 3)]
  const [red, green, blue] = at(2, 2)
  /** how many pixels of an area differ from the background */
  const inked = (top: number, bottom: number) => {
    let count = 0
    for (let i = top * image.width * 4; i < bottom * image.width * 4; i += 4)
      if (data[i] !== red || data[i + 1] !== green || data[i + 2] !== blue) count++
    return count
  }
  return { width: image.width, height: image.height, at, inked }
}

const pictureOf = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers })
  assert.equal(response.status, 200)
  return { response, png: Buffer.from(await response.arrayBuffer()) }
}

const change = (site: TestSite, accent: string | null, logo: string | null = null) =>
  db.query(sql`update career_sites set accent_color = ${accent}, logo_blob_key = ${logo},
    logo_mime = ${logo === null ? null : 'image/png'}, updated_at = app_now() where workspace_id = ${site.workspace}`)

test('og.png: a picture of 1200 × 630 in the accent colour, with title, company and facts', async () => {
  const site = await newSite('Müller & Söhne')
  await change(site, '#0a7d4f')
  const job = await addJob(site, {
    title: 'Schweißer:in Сварщик Συγκολλητής',
    locations: ['Köln'],
    location_type: 'hybrid',
  })
  const { response, png } = await pictureOf(`${site.url}/jobs/${encodeURIComponent(job.slug)}/og.png?v=1`)
  assert.equal(response.headers.get('content-type'), 'image/png')
  assert.equal(Number(response.headers.get('content-length')), png.length)
  const { width, height, at, inked } = await pixelsOf(png)
  assert.deepEqual([width, height, at(5, 5)], [1200, 630, [0x0a, 0x7d, 0x4f]])
  assert.ok(inked(60, 130) > 500, 'company')
  assert.ok(inked(250, 470) > 5000, 'title')
  assert.ok(inked(510, 570) > 500, 'facts')
  const list = await pixelsOf((await pictureOf(`${site.url}/og.png`)).png)
  assert.deepEqual([list.width, list.height, list.at(5, 5)], [1200, 630, [0x0a, 0x7d, 0x4f]])
})

test('og.png: long titles, words without end and scripts that the font has not are drawn inside the picture', async () => {
  const site = await newSite('Acme')
  const titles = [
    'Senior Principal Staff Engineer '.repeat(9).trim(),
    'Donaudampfschifffahrt'.repeat(12),
    '溶接工を募集しています',
    '🚀🚀🚀',
  ]
  for (const title of titles) {
    const job = await addJob(site, { title })
    const { at, inked } = await pixelsOf(
      (await pictureOf(`${site.url}/jobs/${encodeURIComponent(job.slug)}/og.png`)).png,
    )
    assert.ok(inked(60, 600) > 1000, title)
    // the margin stays free
    for (let y = 0; y < 600; y++) assert.deepEqual(at(1190, y), at(2, 2))
  }
})

test('og.png: the logo of the site in place of its name; a file that is no picture is left out', async () => {
  const site = await newSite('Logo Works')
  const canvas = createCanvas(300, 100)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ff0000'
  context.fillRect(0, 0, 300, 100)
  const { blobs } = service.services
  const [good, broken] = [`logos/${site.workspace}/1`, `logos/${site.workspace}/2`]
  await blobs.put(good, await canvas.encode('png'), { contentType: 'image/png' })
  await blobs.put(broken, Buffer.from('no picture'), { contentType: 'image/png' })
  await change(site, '#4b47d6', good)
  const shown = await pixelsOf((await pictureOf(`${site.url}/og.png`)).png)
  assert.deepEqual(
    [shown.at(150, 110), shown.at(88, 64)],
    [
      [255, 0, 0],
      [255, 255, 255],
    ],
  )
  for (const key of [broken, `logos/${site.workspace}/missing`]) {
    await change(site, '#4b47d6', key)
    const { inked } = await pixelsOf((await pictureOf(`${site.url}/og.png`)).png)
    assert.ok(inked(60, 600) > 500)
  }
})

test('og.png: 304 for the picture that the client has, another validator when a title changes; 404 for drafts', async () => {
  const site = await newSite()
  const job = await addJob(site, { title: 'Welder' })
  const url = `${site.url}/jobs/${job.slug}/og.png`
  clock.advance(1000)
  const { response } = await pictureOf(url)
  const etag = response.headers.get('etag')!
  assert.equal(response.headers.get('cache-control'), 'public, max-age=3600')
  assert.ok(response.headers.get('last-modified'))
  const known = await fetch(url, { headers: { 'if-none-match': etag } })
  assert.deepEqual([known.status, await known.text()], [304, ''])
  await db.transaction(tx => editJob(tx, site.workspace, job.id, { title: 'Senior welder' }))
  assert.notEqual((await pictureOf(url)).response.headers.get('etag'), etag)

  const draft = await addJob(site, { title: 'Secret' }, 'draft')
  assert.equal((await service.call('GET', `${site.url}/jobs/${draft.slug}/og.png`)).status, 404)
  assert.equal((await service.call('GET', `${site.url}/jobs/no-such-job/og.png`)).status, 404)
  await db.query(sql`update career_sites set enabled = false where workspace_id = ${site.workspace}`)
  assert.equal((await service.call('GET', url)).status, 404)
  assert.equal((await service.call('GET', `${site.url}/og.png`)).status, 404)
})

test('og.png: many requests for many pictures are all served, each with its own', async () => {
  const site = await newSite()
  const jobs = await Promise.all(Array.from({ length: 12 }, (_, i) => addJob(site, { title: `Job number ${i}` })))
  const made = await Promise.all(
    jobs
      .flatMap(({ slug }) => [slug, slug])
      .map(async slug => (await pictureOf(`${site.url}/jobs/${slug}/og.png`)).png.toString('base64')),
  )
  assert.equal(new Set(made).size, jobs.length)
  assert.ok(jobs.every((_, i) => made[2 * i] === made[2 * i + 1]))
})

test('og.png: a stored logo that says two sizes is left out, and its pixels are not decoded', async () => {
  const site = await newSite('Two Sizes')
  await change(site, '#0a7d4f')
  const without = (await pictureOf(`${site.url}/og.png`)).png
  for (const [name, file] of Object.entries(jpegsWithTwo(20_000, 20_000))) {
    const key = `logos/${site.workspace}/${name.replaceAll(' ', '-')}`
    await service.services.blobs.put(key, file, { contentType: 'image/jpeg' })
    await change(site, '#0a7d4f', key)
    assert.ok(without.equals((await pictureOf(`${site.url}/og.png`)).png), name)
  }
})
