import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personalIn, refusePersonal, watchedLog } from '../harness/personal-data.ts'

test('personal data watch: the watch over logs, figures, events and errors sees what looks like a person', () => {
  for (const text of ['{"msg":"ada.b+1@mail.example.org"}', 'at linkedin.com/in/ada', 'zqplant1'])
    assert.throws(() => refusePersonal('the log', text), /personal data in the log/)
  for (const text of ['app_01m8x2c4e6g8j0k2m4n6', 'on linkedin.com', 'a @ b', '{"route":"/people/{person_handle}"}'])
    assert.equal(personalIn(text), undefined, text)
})

test('personal data watch: the watched log records lines that are not printed', () => {
  const { log, lines } = watchedLog('silent')
  log.debug({ email: 'ada@example.org' }, 'request')
  log.error({ err: new Error('ada@example.org') }, 'failed')
  assert.equal(lines.filter(line => personalIn(line)).length, 2)
})
