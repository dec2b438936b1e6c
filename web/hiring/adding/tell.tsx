import type { ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { templatesFor } from '../../../src/contract/message-purposes.ts'
import { SelectField, TextField } from '../../ui/form.tsx'
import { type Read, read } from '../api.ts'
import { useMay } from '../session.ts'
import { t } from '../texts/index.ts'
import type { Notice } from './add.ts'

type Template = Read<'/message-templates'>['templates'][number]

/** The templates for people whom the team adds; undefined: they are not read yet, or the reader sends no messages. */
function useTemplates(): readonly Template[] | undefined {
  const may = useMay()
  const [templates, setTemplates] = useState<readonly Template[]>()
  useEffect(() => {
    if (!may('messages:send')) return
    const abort = new AbortController()
    read('/message-templates', {}, abort.signal).then(
      found => setTemplates(templatesFor(found.templates, 'added_by_us').own),
      // people are added without a message, and the line does not offer one
      () => {},
    )
    return () => abort.abort()
  }, [])
  return templates
}

interface Written {
  /** '': a text of the reader's own */
  template: string
  subject: string
  body: string
}

interface Telling {
  /** for the dialog; nothing where no one is written to */
  line: ComponentChildren
  notice: Notice | undefined
}

/**
 * The email that says to people that they were added, for so many of them as have an address. On where there is a template
 * for it.
 */
export function useTelling(addresses: number): Telling {
  const id = useId()
  const templates = useTemplates()
  const [wanted, setWanted] = useState(true)
  const [isOpen, setOpen] = useState(false)
  const [written, setWritten] = useState<Written>()
  const [first] = templates ?? []
  const text = written ?? { template: first?.id ?? '', subject: first?.subject ?? '', body: first?.body ?? '' }
  const hasText = text.subject.trim() !== '' && text.body.trim() !== ''
  const isOn = hasText && wanted && addresses > 0
  const write = (change: Partial<Written>) => setWritten({ ...text, template: '', ...change })
  const choose = (chosen: string) => {
    const one = templates?.find(template => template.id === chosen)
    if (one) setWritten({ template: one.id, subject: one.subject, body: one.body })
  }
  if (!templates || addresses === 0) return { line: null, notice: undefined }
  const name = templates.find(one => one.id === text.template)?.name ?? t.decisions.ownText
  const line = (
    <div class="tell">
      <p class="tell-line">
        <label class="check" for={id}>
          <input
            id={id}
            type="checkbox"
            checked={isOn}
            disabled={!hasText}
            onChange={event => setWanted(event.currentTarget.checked)}
          />
          {addresses === 1 ? t.adding.tell : t.adding.tellMany}
        </label>
        <button type="button" class="button secondary small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {hasText ? t.decisions.showText : t.decisions.writeText}
        </button>
      </p>
      <p class="hint">{hasText ? t.adding.tellFrom(name) : t.adding.noTemplate}</p>
      {isOpen && (
        <div class="entry-form">
          {templates.length > 1 && (
            <SelectField
              label={t.decisions.template}
              value={text.template}
              options={templates.map(one => [one.id, one.name] as const)}
              onInput={choose}
            />
          )}
          <TextField
            label={t.decisions.subject}
            value={text.subject}
            onInput={subject => write({ subject })}
            maxLength={150}
          />
          <TextField
            label={t.decisions.message}
            value={text.body}
            onInput={body => write({ body })}
            rows={6}
            maxLength={10_000}
          />
        </div>
      )}
    </div>
  )
  const { template, subject, body } = text
  return { line, notice: isOn ? { subject, body, template_id: template || null } : undefined }
}
