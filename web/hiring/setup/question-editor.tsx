import { useEffect, useRef } from 'preact/hooks'
import { SelectField, TextField } from '../../ui/form.tsx'
import type { Read } from '../api.ts'
import { type Item, isNew } from './merge.ts'

export type QuestionSetup = Read<'/jobs/{job_id}/questions'>['questions'][number]

/** A pre-screen question while it is edited. */
export interface PrescreenQuestion extends Item {
  kind: QuestionSetup['kind']
  prompt: string
  response_key: string
  answer_type: QuestionSetup['answer_type']
  /** one for each line, blank lines included */
  choices: string[]
  required: boolean
  source: QuestionSetup['source']
}

export const ANSWER_TYPES: readonly (readonly [QuestionSetup['answer_type'], string])[] = [
  ['text', 'Text'],
  ['boolean', 'Yes or no'],
  ['number', 'Number'],
  ['choice', 'One of a list'],
  ['multi_choice', 'Several of a list'],
]

export const questionName = ({ prompt }: PrescreenQuestion): string => prompt.trim() || 'New question'
export const takesChoices = ({ answer_type }: PrescreenQuestion): boolean =>
  answer_type === 'choice' || answer_type === 'multi_choice'
export const cleanChoices = ({ choices }: PrescreenQuestion): string[] =>
  choices.map(choice => choice.trim()).filter(choice => choice !== '')

const KEY = /^[a-z][a-z0-9_]{0,59}$/

/** `Do you have a license?` is `do_you_have_a_license`. */
export const keyFrom = (prompt: string): string =>
  prompt
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+/, '')
    .slice(0, 60)
    .replace(/_$/, '')

/** What must be fixed before the questions can be saved, under `<key> <name>`. */
export function questionProblems(questions: readonly PrescreenQuestion[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const [index, question] of questions.entries()) {
    const wrong = (name: keyof PrescreenQuestion, message: string) => found.set(`${question.key} ${name}`, message)
    if (question.prompt.trim() === '') wrong('prompt', 'Enter a question.')
    if (!KEY.test(question.response_key))
      wrong('response_key', 'Use lower-case letters, digits and _, and begin with a letter.')
    else if (questions.slice(0, index).some(({ response_key }) => response_key === question.response_key))
      wrong('response_key', 'Another question has this name.')
    if (takesChoices(question) && cleanChoices(question).length === 0) wrong('choices', 'Enter at least one choice.')
  }
  return found
}

interface QuestionEditorProps {
  question: PrescreenQuestion
  problem: (name: keyof PrescreenQuestion) => string | undefined
  onChange: (change: Partial<PrescreenQuestion>) => void
}

export function QuestionEditor({ question, problem, onChange }: QuestionEditorProps) {
  const editor = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // one that was just added
    if (isNew(question) && question.prompt === '') editor.current?.querySelector<HTMLElement>('textarea')?.focus()
  }, [])
  return (
    <div ref={editor}>
      <TextField
        label="Question"
        value={question.prompt}
        onInput={prompt => onChange({ prompt })}
        rows={2}
        maxLength={1000}
        fault={problem('prompt')}
      />
      <div class="field-row">
        <SelectField
          label="Answer"
          value={question.answer_type}
          options={ANSWER_TYPES}
          onInput={type => onChange({ answer_type: type as PrescreenQuestion['answer_type'] })}
        />
        <TextField
          label="Name in the API"
          value={question.response_key}
          onInput={response_key => onChange({ response_key })}
          maxLength={60}
          mono
          fault={problem('response_key')}
        />
      </div>
      {takesChoices(question) && (
        <TextField
          label="Choices, one on each line"
          value={question.choices.join('\n')}
          onInput={text => onChange({ choices: text === '' ? [] : text.split('\n') })}
          rows={Math.min(10, Math.max(4, question.choices.length + 1))}
          fault={problem('choices')}
        />
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={question.required}
          onChange={event => onChange({ required: event.currentTarget.checked })}
        />
        <span>Required in the application form</span>
      </label>
    </div>
  )
}
