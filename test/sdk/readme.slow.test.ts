import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { signWebhook } from '../../packages/sdk/src/index.ts'
import { freePort } from '../harness/free-port.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { buildPackage, PACKAGE } from './install-package.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = await buildPackage()
const service = await startTestService()
const { id: workspace, userEmail } = await service.workspace('enterprise')
const { secret } = await service.key({ workspace, userEmail })
const SECRET = 'whsec_sample'
const port = await freePort()

interface Sample {
  name: string
  code: string
  /** what it prints, where the README says so; `…` is any text */
  expected: string | undefined
}

/** The TypeScript of the README, each with what precedes it in a reader's file: the client. */
function samples(): Sample[] {
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(match => ({
    language: match[1]!,
    text: match[2]!,
    heading: readme
      .slice(0, match.index)
      .match(/^##? .*/gm)!
      .at(-1)!
      .replace(/^#+ /, ''),
    from: match.index,
    to: match.index + match[0].length,
  }))
  const code = blocks.filter(({ language }) => language === 'ts')
  const client = code[0]!.text.replace(/\nconst me[\s\S]*/, '')
  return code.map((block, i) => {
    const next = blocks[blocks.indexOf(block) + 1]
    const isShown = next?.language === 'text' && readme.slice(block.to, next.from).trim() === ''
    return {
      name: `${i + 1}: ${block.heading}`,
      code: (/\bclient\b/.test(block.text) && i > 0 ? `${client}\n${block.text}` : block.text).replace(
        'listen(3000)',
        `listen(${port})`,
      ),
      expected: isShown ? next.text.trim() : undefined,
    }
  })
}

const running = new Set<ChildProcess>()
after(() => {
  for (const child of running) child.kill('SIGKILL')
})

function start(file: string) {
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_NO_WARNINGS: '1',
      BASE_URL: service.base,
      API_KEY: secret,
      WEBHOOK_SECRETS: `whsec_other,${SECRET}`,
    },
  })
  running.add(child)
  const state = { output: '', errors: '', code: undefined as number | null | undefined }
  child.stdout.on('data', chunk => (state.output += chunk))
  child.stderr.on('data', chunk => (state.errors += chunk))
  const ended = new Promise<void>(resolve =>
    child.on('close', code => {
      state.code = code
      running.delete(child)
      resolve()
    }),
  )
  return { child, state, ended }
}

const all = samples()
const fileOf = (index: number) => `sample-${index}.ts`
for (const [i, { code }] of all.entries()) writeFileSync(join(folder, fileOf(i)), code)
writeFileSync(join(folder, 'resume.pdf'), '%PDF-1.4\n')

test('SDK README: the samples are typed', () => {
  // the samples use Node; the package itself does not need its types
  symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  const options = '--strict --noEmit --target es2022 --module nodenext --lib es2024 --types node --skipLibCheck'
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), [...options.split(' '), ...all.map((_, i) => fileOf(i))], {
    cwd: folder,
    stdio: 'pipe',
  })
})

for (const [i, { name, code, expected }] of all.entries()) {
  test(`SDK README: sample ${name} does what it says`, async () => {
    const { child, state, ended } = start(fileOf(i))
    const settled = () => state.code !== undefined
    if (code.includes('listen(')) {
      const body = JSON.stringify({ id: 'evt_1', type: 'list.created' })
      const post = (signature: string) =>
        fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers: { 'service-signature': signature } }).then(
          ({ status }) => status,
          () => 0,
        )
      const signature = await signWebhook(body, SECRET)
      await until('the receiver', async () => settled() || (await post(signature)) === 204)
      assert.equal(await post(`${signature}0`), 400)
      assert.match(state.output, /list\.created/)
      child.kill('SIGTERM')
      return ended
    }
    if (code.includes('SIGTERM')) {
      await until('the first batch', () => settled() || state.output !== '')
      child.kill('SIGTERM')
    }
    await ended
    assert.equal(state.code, 0, state.errors)
    if (expected !== undefined) {
      const pattern = expected
        .split('…')
        .map(text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('.*')
      assert.match(state.output.trim(), new RegExp(`^${pattern}$`))
    }
  })
}

test('SDK README: the samples cover lists, jobs, résumés, errors, retries, the feed, sync and webhooks', () => {
  assert.deepEqual(
    all.map(({ name }) => name.replace(/^\d+: /, '')),
    [
      'hiring-partner-sdk',
      'Lists',
      'Push a job',
      'Apply with a résumé',
      'Errors',
      'Retries',
      'Headers of a response',
      'Follow changes',
      'Follow changes',
      'Keep a copy',
      'Receive webhooks',
      'Receive webhooks',
    ],
  )
})
