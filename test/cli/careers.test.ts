import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { careersVerbs } from '../../src/cli/careers.ts'
import { onePixel } from '../careers/pictures.ts'
import { sharedTestService, type TestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'

let service: TestService
let workspace: string

before(async () => {
  service = await sharedTestService()
  workspace = (await service.workspace('starter', 'Command Robotics')).id
})

const show = () => runVerb(service, careersVerbs, 'careers show', [workspace])
const set = (options: Record<string, string>) => runVerb(service, careersVerbs, 'careers set', [workspace], options)
function file(name: string, content: string | Buffer): string {
  const path = join(service.services.config.DATA_DIR, name)
  writeFileSync(path, content)
  return path
}

test('hiring careers show: the settings of a workspace; an error for one that does not exist', async () => {
  const { text, json } = await show()
  assert.match(text, /path +\/careers\/command-robotics/)
  assert.match(text, /name +none \(Command Robotics\)/)
  assert.ok(!('logo_blob_key' in (json as object)))
  await assert.rejects(runVerb(service, careersVerbs, 'careers show', ['wsp_none']), /there is no workspace wsp_none/)
})

test('hiring careers set: changes what is given, none clears it', async () => {
  const { json } = await set({
    enabled: 'off',
    slug: 'command',
    name: 'Acme',
    headline: 'Robots that help',
    introduction: file('intro.md', '# Hello'),
    color: '#0A7F5C',
    logo: file('logo.bin', onePixel),
    website: 'https://acme.example',
    privacy: 'https://acme.example/privacy',
    contact: 'jobs@acme.example',
    country: 'DE',
    confirmation: `de=${file('mail.txt', 'Danke, {{first_name}}\r\n\r\nGuten Tag!\r\n')}`,
  })
  const site = json as Record<string, unknown>
  assert.deepEqual(
    ['path', 'enabled', 'display_name', 'headline', 'introduction_md', 'accent_color', 'logo_mime', 'country'].map(
      n => site[n],
    ),
    ['/careers/command', false, 'Acme', 'Robots that help', '# Hello', '#0a7f5c', 'image/png', 'DE'],
  )
  assert.equal(site['contact_email'], 'jobs@acme.example')
  assert.deepEqual(site['confirmations'], { de: { subject: 'Danke, {{first_name}}', body: 'Guten Tag!' } })
  const cleared = (
    await set({ enabled: 'on', headline: 'none', logo: 'none', introduction: 'none', confirmation: 'de=none' })
  ).json as Record<string, unknown>
  assert.deepEqual(
    ['enabled', 'headline', 'logo_mime', 'introduction_md', 'display_name'].map(n => cleared[n]),
    [true, null, null, null, 'Acme'],
  )
  assert.deepEqual(cleared['confirmations'], {})
})

test('hiring careers set: an error names every setting that is wrong, and nothing changes', async () => {
  const before = (await show()).json
  await assert.rejects(set({ slug: 'A B', color: 'red' }), /slug must be 1 to 60 .*; accent_color must be a color/)
  await assert.rejects(set({ logo: file('logo.svg', '<svg/>') }), /logo must be a PNG, JPEG or WebP picture/)
  await assert.rejects(set({ logo: '/no/such/file' }), /cannot read \/no\/such\/file/)
  await assert.rejects(set({ introduction: file('big.md', 'a'.repeat(300_000)) }), /300000 bytes/)
  await assert.rejects(set({ confirmation: 'mail.txt' }), /LANG=FILE/)
  await assert.rejects(set({ confirmation: `fr=${file('fr.txt', 'Merci\n\nBonjour')}` }), /confirmations\.fr/)
  await assert.rejects(set({ enabled: 'yes' }), /must be on or off/)
  await assert.rejects(set({}), /nothing to change/)
  assert.deepEqual((await show()).json, before)
})
