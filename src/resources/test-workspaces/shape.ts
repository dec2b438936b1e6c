import { SEEDS } from '../../contract/seeds.ts'
import { array, handleField, int64, integer, map, nullable, oneOf, shape, text, time } from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

export const testMailShape = shape('test_mail', 'An email that a test workspace would have sent.', {
  id: text(),
  workspace_id: handleField('workspace'),
  to: field(text(), { description: 'An email address.' }),
  reply_to: field(nullable(text()), { description: 'Where replies would go, if not to the sender.' }),
  subject: text(),
  text: field(text(), { description: 'The plain text.' }),
  links: field(array(text()), { description: 'The URLs in the text, in their order.' }),
  sent_at: time(),
})

const runFields = {
  workspace_id: handleField('workspace'),
  seed: field(oneOf(SEEDS), { description: 'What the workspace was filled with.' }),
  feed_epoch: field(text(), { description: 'The `epoch` of GET /events. A reset changes it.' }),
  sequence: int64('The last number of the feed. Continue with the events after it.'),
}

export const testResetShape = shape('test_reset', 'A test workspace was emptied.', runFields)

export const testSeedShape = shape('test_seed', 'A test workspace was filled.', runFields)

export const testEventShape = shape('test_event', 'An operation of the product, and the event that reports it.', {
  workspace_id: handleField('workspace'),
  event_type: text(),
  event_id: handleField('event'),
  sequence: int64('Its position in the feed.'),
  handles: map(text(), 'handles of what the operation wrote, by a word for each'),
})

export const testClockShape = shape('test_clock', 'The clock of a test workspace, by which deadlines are judged.', {
  workspace_id: handleField('workspace'),
  status: field(oneOf(['ready', 'advancing']), { description: 'Whether what fell due is done.' }),
  now: field(time(), { description: 'The time of the clock. It goes on with real time.' }),
  offset_seconds: integer('How far the clock is ahead of real time now.'),
  due: integer('How many deadlines pass until the time that the clock advances to, and are still to be done.'),
})
