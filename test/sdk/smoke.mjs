// What a partner's program does with the installed package, in any runtime: run by package.test.ts with BASE_URL,
// API_KEY and FOLDER. Prints what it found as one line of JSON.
import process from 'node:process'
import { HiringClient, isApiError, signWebhook, verifyWebhook } from 'hiring-partner-sdk'
import { fileCheckpoint } from 'hiring-partner-sdk/checkpoints'

const { BASE_URL, API_KEY, FOLDER } = process.env
const client = new HiringClient({ baseUrl: BASE_URL, apiKey: API_KEY })

const job = await client.jobs.push({
  source: { system: 'acme_ats', external_id: crypto.randomUUID() },
  title: 'Welder',
  content: { summary: 'Join metals.' },
  publish: true,
})
const resume = await client.uploads.send(new Blob(['Ada Example, welder']), { filename: 'ada.txt' })
const application = await client.applications.create({
  job_id: job.id,
  candidate: { first_name: 'Ada', last_name: 'Example', email: `${crypto.randomUUID()}@example.org` },
  source: { system: 'acme_ats' },
  resume_upload_id: resume.upload_id,
})

let listed = false
for await (const { id } of client.applications.list({ job_id: job.id })) listed ||= id === application.id

const refused = await client.jobs.get('job_missing').catch(error => isApiError(error, 'not_found'))

const body = JSON.stringify({ id: 'evt_1' })
const signature = await signWebhook(body, ['whsec_new', 'whsec_old'])
const request = new Request('https://partner.example', {
  method: 'POST',
  body,
  headers: { 'service-signature': signature },
})
const verified = (await verifyWebhook(request, 'whsec_old')).id

let rows = 0
await client.sync({
  resources: ['jobs', 'applications'],
  checkpoint: fileCheckpoint(`${FOLDER}/sync.json`),
  upsert: change => {
    rows += change.rows.length
  },
  remove: () => {},
  once: true,
})

let events = 0
await client.events.follow({
  checkpoint: fileCheckpoint(`${FOLDER}/feed.json`),
  handle: batch => {
    events += batch.length
  },
  once: true,
})

console.log(
  JSON.stringify({
    job: job.status,
    resume: application.has_resume,
    listed,
    refused,
    verified,
    rows: rows > 1,
    events: events > 0,
  }),
)
