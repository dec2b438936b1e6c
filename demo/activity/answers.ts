import type { AnswerValue, FormAnswer, PublicForm } from '../../src/resources/applications/index.ts'
import type { PublicFormField, PublicFormView } from '../../src/resources/jobs/index.ts'
import type { Random } from '../random.ts'

const TEXTS = [
  'Five years in similar work.',
  'Yes, most of all the last two years.',
  'I would be glad to tell you more.',
]

type Given = { answers: FormAnswer[] } & Pick<PublicForm, 'consents' | 'prescreen'>

/**
 * A candidate fills in a form: everything that is required, half of the rest, every box ticked. The pre-screen has chances
 * of its own, so that its questions do not change what else happens in a demo.
 */
export function answersTo(
  { fields, questions }: Pick<PublicFormView, 'fields' | 'questions'>,
  random: Random,
  ofPrescreen: Random = random,
): Given {
  const asked = fields.filter(
    field => field.candidate_field === null && !['section', 'consent', 'eeo', 'file'].includes(field.type),
  )
  const answered = asked.filter(field => field.required || random.chance(0.5))
  const boxes = fields.filter(field => field.type === 'consent')
  const screened = questions.filter(question => question.required || ofPrescreen.chance(0.5))
  return {
    answers: answered.map(field => ({ field_id: field.id, value: valueFor(field, random) })),
    consents: Object.fromEntries(boxes.map(box => [box.id, box.version])),
    prescreen: Object.fromEntries(screened.map(question => [question.id, valueFor(asField(question), ofPrescreen)])),
  }
}

const TYPES = { choice: 'select', multi_choice: 'multiselect', boolean: 'boolean', number: 'number', text: 'text' }

const asField = ({ answer_type, choices }: PublicFormView['questions'][number]) => ({
  type: TYPES[answer_type],
  options: choices ?? [],
  max_length: null,
})

type Asked = Pick<PublicFormField, 'options' | 'max_length'> & { type: string }

function valueFor({ type, options, max_length }: Asked, random: Random): AnswerValue {
  if (type === 'boolean') return random.chance(0.5)
  if (type === 'multiselect') return random.sample(options, random.int(1, options.length))
  if (options.length > 0) return random.pick(options)
  switch (type) {
    case 'number':
      return String(random.int(0, 12))
    case 'date':
      return `2027-0${random.int(1, 9)}-01`
    case 'url':
      return 'https://portfolio.example/work'
    case 'email':
      return 'reference@mailbox.example'
    case 'phone':
      return '+1 206 555 0147'
    default:
      return random.pick(TEXTS).slice(0, max_length ?? undefined)
  }
}
