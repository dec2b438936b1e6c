import { ApiError, HiringClient } from 'hiring-partner-sdk'

const client = new HiringClient({ baseUrl: process.env.BASE_URL!, apiKey: process.env.API_KEY! })

// a list: `await` gives one page, `for await` every row
const page = await client.jobs.list({ status: 'published', limit: 2 })
console.log(page.data[0]?.object)

let applications = 0
for await (const application of client.applications.list({ status: 'new' })) {
  if (application.status === 'new') applications += 1
}
console.log(applications > 0)

// a write: the Idempotency-Key is made for you, and is the same for every retry
const list = await client.lists.create({ name: 'From the SDK' })
console.log(list.object)

// errors have the code of the catalogue
try {
  await client.jobs.get('job_00000000000000000000')
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  console.log(error.code)
}
