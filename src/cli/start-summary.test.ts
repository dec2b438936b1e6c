import assert from 'node:assert/strict'
import { test } from 'node:test'
import { banner, type StartSummary } from './start-summary.ts'
import { loadVerbs } from './verbs.ts'

const SUMMARY: StartSummary = {
  base_url: 'http://127.0.0.1:8080/api/partner/v1',
  docs_url: 'http://127.0.0.1:8080/docs',
  console_url: 'http://127.0.0.1:8080/console',
  hiring_url: 'http://127.0.0.1:8080/hiring',
  console_fault: null,
  careers_url: null,
  metrics_url: null,
  demo: false,
  has_workspaces: false,
  key: null,
  sign_in: null,
  pid: 1,
  processes: null,
}

const commandsIn = (facts: StartSummary) =>
  [...banner(facts, 1_000).matchAll(/^ {2}npx hiring (.*)$/gm)].map(([, line]) => line!.split(' '))

test('hiring start: names the commands of a new installation: workspace, owner, key; each exists with its options', async () => {
  const commands = commandsIn(SUMMARY)
  assert.deepEqual(
    commands.map(words => words.slice(0, 2).join(' ')),
    ['workspaces create', 'users create', 'keys create'],
  )
  const verbs = await loadVerbs()
  for (const [group, name, ...rest] of commands) {
    const verb = verbs.find(verb => verb.name === `${group} ${name}`)!
    for (const option of rest.filter(word => word.startsWith('--'))) assert.ok(option.slice(2) in verb.options!, option)
  }
})

test('hiring start: with a workspace only the key is named, with the demo its credentials', () => {
  assert.equal(commandsIn({ ...SUMMARY, has_workspaces: true }).length, 1)
  assert.deepEqual(commandsIn({ ...SUMMARY, has_workspaces: true, demo: true }), [['demo', 'credentials']])
})
