import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import {
  createJob,
  type FormFieldInput,
  moveJob,
  type QuestionInput,
  readPublicForm,
  setForm,
  setQuestions,
} from '../../src/resources/jobs/index.ts'
import type { TestService } from '../harness/service.ts'

/** The careers site of a workspace, for tests of its application forms. */
export interface Site {
  service: TestService
  workspace: string
  slug: string
  key: { secret: string }
}

export async function newSite(service: TestService, name = 'Nordlicht Robotics'): Promise<Site> {
  const { id: workspace, userEmail } = await service.workspace('enterprise', name)
  const { slug } = (await service.services.db.one(
    sql<{ slug: string }>`select slug from career_sites where workspace_id = ${workspace}`,
  ))!
  return { service, workspace, slug, key: await service.key({ workspace, userEmail }) }
}

export interface FormJob {
  id: string
  slug: string
  /** path of the form */
  path: string
  /** field id by label, question id by prompt */
  ids: Record<string, string>
}

type Condition = { of: string; values: string[] }

/** A published job, with a form of its own if there are fields; conditions name the label that they depend on. */
export async function newFormJob(
  { service, workspace, slug }: Site,
  opts: {
    title?: string
    fields?: readonly (FormFieldInput & { when?: Condition })[]
    questions?: readonly QuestionInput[]
    externalUrl?: string
  } = {},
): Promise<FormJob> {
  const { db } = service.services
  const title = opts.title ?? 'Test engineer'
  const id = await db.transaction(async tx => {
    const job = await createJob(tx, workspace, {
      title,
      content: { summary: 'Tests robots.' },
      ...(opts.externalUrl ? { external_apply_url: opts.externalUrl } : {}),
    })
    if (opts.fields) {
      await setForm(
        tx,
        workspace,
        job,
        opts.fields.map(({ when, ...field }) => ({
          ...field,
          ...(when
            ? {
                condition: {
                  position: opts.fields!.findIndex(({ label }) => label === when.of),
                  values: when.values,
                },
              }
            : {}),
        })),
      )
    }
    if (opts.questions) await setQuestions(tx, workspace, job, opts.questions)
    await moveJob(tx, workspace, job, 'publish')
    return job
  })
  const form = (await readPublicForm(db, workspace, { id }))!
  const ids = Object.fromEntries([
    ...form.fields.map(field => [field.label, field.id] as const),
    ...form.questions.map(question => [question.prompt, question.id] as const),
  ])
  return { id, slug: form.slug, ids, path: `/careers/${slug}/jobs/${form.slug}/apply` }
}

/** The form of the details that every form needs. */
export const DETAILS: readonly FormFieldInput[] = [
  { label: 'Full name', type: 'text', required: true, candidate_field: 'name' },
  { label: 'Email address', type: 'email', required: true, candidate_field: 'email' },
]

export interface PageReply {
  status: number
  headers: Headers
  text: string
  /** where it redirects to */
  location: string | null
}

export async function request(service: TestService, path: string, init: RequestInit = {}): Promise<PageReply> {
  const response = await fetch(new URL(path, service.origin), { redirect: 'manual', ...init })
  const { status, headers } = response
  return { status, headers, text: await response.text(), location: headers.get('location') }
}

/** Where a response redirects to, without the query: that of the page of thanks has a sealed address. */
export const pathTo = ({ location }: Pick<PageReply, 'location'>): string | undefined => location?.split('?')[0]

export const tokenIn = (html: string): string => /name="token" value="([^"]+)"/.exec(html)![1]!

/** The token of a form that was opened long enough ago to be sent without a proof of work. */
export async function openForm(service: TestService, job: FormJob): Promise<string> {
  const { status, text } = await request(service, job.path)
  if (status !== 200) throw new Error(`the form responded with ${status}`)
  clock.advance(10_000)
  return tokenIn(text)
}

export type Values = Record<string, string | readonly string[] | File>

export const formData = (values: Values): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries(values))
    for (const each of Array.isArray(value) ? value : [value]) data.append(name, each)
  return data
}

/** Another visitor each time: the limits by address have a test of their own. */
let visitors = 0
export const newVisitor = (): string => `198.51.${(++visitors >> 8) & 255}.${visitors & 255}`

export const sendForm = (
  service: TestService,
  job: FormJob,
  values: Values,
  opts: { headers?: Record<string, string>; from?: string } = {},
): Promise<PageReply> =>
  request(service, job.path, {
    method: 'POST',
    body: formData(values),
    headers: { origin: service.origin, 'x-forwarded-for': opts.from ?? newVisitor(), ...opts.headers },
  })

/** Sends what the script of the form sends, below the path of the form. */
export async function callForm(
  service: TestService,
  job: FormJob,
  below: '/uploads' | '/reading' | '/token',
  body: object,
  from = newVisitor(),
) {
  const reply = await request(service, job.path + below, {
    method: 'POST',
    headers: { origin: service.origin, 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  })
  return { ...reply, body: JSON.parse(reply.text) }
}

/** Stores a file as the script of the form does, and returns its ticket. */
export async function storeFile(
  service: TestService,
  job: FormJob,
  content: string | Buffer,
  file: { field: string; content_type: string; filename: string; token: string; head?: string },
): Promise<string> {
  const reserved = await callForm(service, job, '/uploads', { ...file, size_bytes: content.length })
  assert.equal(reserved.status, 200, reserved.text)
  const { url, headers, ticket } = reserved.body
  const body = typeof content === 'string' ? content : new Uint8Array(content)
  assert.equal((await fetch(url, { method: 'PUT', headers, body })).status, 200)
  return ticket
}

/** What a person types into the form of `DETAILS`. */
let people = 0
export const person = (): {
  'candidate.first_name': string
  'candidate.last_name': string
  'candidate.email': string
} => ({
  'candidate.first_name': 'Zora',
  'candidate.last_name': `Applicant${++people}`,
  'candidate.email': `zora.${people}@applicants.example`,
})

/** Settings of a service whose visitors have the addresses that tests give them. */
export const BEHIND_PROXY = { TRUST_PROXY: '127.0.0.1', ROLES: 'api' }

const WORKER = readFileSync(join(import.meta.dirname, '../../src/careers/assets/apply-work.js'), 'utf8')

/** Solves the proof of work with the script of the page. */
export function solve(token: string): string {
  let solved = ''
  const self = {
    onmessage: (_: { data: object }) => {},
    postMessage: ({ work }: { work: string }) => {
      solved = work
    },
  }
  new Script(WORKER).runInNewContext({ self })
  self.onmessage({ data: { id: token.split('.')[0], puzzles: 8, bits: 16 } })
  return solved
}

/** Applications of a job as a partner reads them. */
export async function readApplications({ service, key }: Site, job: FormJob) {
  const { body } = await service.get(`/jobs/${job.id}/applications`, key)
  return body.data
}

/** A form with every type of question, sections and conditions. */
export const EVERY_TYPE: readonly (FormFieldInput & { when?: Condition })[] = [
  ...DETAILS,
  { label: 'Phone', type: 'phone', candidate_field: 'phone', max_length: 40 },
  { label: 'LinkedIn profile', type: 'url', candidate_field: 'linkedin' },
  { label: 'Résumé', type: 'file', required: true, candidate_field: 'resume' },
  { label: 'About your work', type: 'section', help_text: 'What we build is used every day.' },
  { label: 'Why this job', type: 'textarea', required: true, max_length: 200, help_text: 'Two or three sentences.' },
  { label: 'Favourite tool', type: 'text', max_length: 60 },
  { label: 'Level', type: 'select', required: true, options: ['Junior', 'Senior'] },
  { label: 'Office', type: 'select', options: ['Berlin', 'Kiel', 'Hamburg', 'Bremen', 'Lübeck', 'Rostock'] },
  { label: 'Languages', type: 'multiselect', options: ['German', 'English', 'Danish'] },
  { label: 'Years of experience', type: 'number', required: true },
  { label: 'Earliest start', type: 'date' },
  { label: 'Website', type: 'url' },
  { label: 'Second email', type: 'email' },
  { label: 'Second phone', type: 'phone' },
  { label: 'Certificate', type: 'file' },
  { label: 'Do you need a work permit?', type: 'boolean', required: true },
  {
    label: 'Which permit do you have?',
    type: 'text',
    required: true,
    when: { of: 'Do you need a work permit?', values: ['true'] },
  },
  { label: 'Leading people', type: 'section', when: { of: 'Level', values: ['Senior'] } },
  { label: 'Size of your team', type: 'number', required: true },
  { label: 'The rest', type: 'section' },
  { label: 'Gender', type: 'eeo', options: ['Woman', 'Man', 'Non-binary'] },
  { label: 'Disability', type: 'eeo' },
  {
    label: 'I agree to the processing of my data',
    type: 'consent',
    required: true,
    help_text: 'We store your application for six months after the decision.',
  },
  { label: 'Keep me in mind for other jobs', type: 'consent' },
]

export const QUESTIONS: readonly QuestionInput[] = [
  { kind: 'common', prompt: 'Can you work shifts?', response_key: 'shifts', answer_type: 'boolean', required: true },
  { kind: 'common', prompt: 'Notice period in weeks', response_key: 'notice', answer_type: 'number' },
  {
    kind: 'adaptive',
    prompt: 'Which robots do you know?',
    response_key: 'robots',
    answer_type: 'multi_choice',
    choices: ['Arms', 'Rovers'],
  },
  {
    kind: 'adaptive',
    prompt: 'Preferred shift',
    response_key: 'shift',
    answer_type: 'choice',
    choices: ['Early', 'Late'],
  },
  { kind: 'adaptive', prompt: 'What should we ask you?', response_key: 'ask', answer_type: 'text' },
]
