import { useEffect, useState } from 'preact/hooks'
import type { ContactInfo, ContactValue } from '../../../packages/sdk/src/generated.ts'
import type { ApiError } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Tag } from '../../ui/tag.tsx'
import { read } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useMay } from '../session.ts'
import { type Candidate, dataOf } from './data.ts'
import { ReadFault } from './read-fault.tsx'
import { Withheld } from './withheld.tsx'
import { capitalize, words } from './words.ts'

/** Fetched when the reader asks for them, and not before: each value is recorded under the reader's name. */
export function ContactDetails({ candidate }: { candidate: Candidate }) {
  const may = useMay()
  const id = candidate.application.applicant_id
  const [found, setFound] = useState<ContactInfo>()
  const [error, setError] = useState<ApiError>()
  const [busy, setBusy] = useState(false)
  // nothing of another candidate stays
  useEffect(() => {
    setFound(undefined)
    setError(undefined)
  }, [id])
  const isAllowed = may('contact:read') && candidate.may.includes('contact')
  const mayRead = isAllowed && id !== null
  const reveal = async () => {
    if (busy || found || !mayRead) return
    setBusy(true)
    setError(undefined)
    try {
      setFound(await read('/v1/applicants/{applicant_handle}/contact-info', { applicant_handle: id }))
    } catch (failure) {
      setError(failure as ApiError)
    } finally {
      setBusy(false)
    }
  }
  useShortcuts(mayRead ? [{ keys: KEYS.contact, title: 'Show contact details', run: reveal }] : [])
  const shown = found?.subject.id === id ? found : undefined
  const links = Object.entries(LINKS).flatMap(([field, title]) => {
    const url = dataOf(candidate.applicant)?.[field as keyof typeof LINKS]
    return url ? [{ url, title }] : []
  })
  return (
    <section class="block" aria-labelledby="contact">
      <h2 id="contact">Contact</h2>
      {!isAllowed ? (
        <Withheld title="Your role does not include contact details." />
      ) : id === null ? (
        <p class="soft">The person behind this application is not known.</p>
      ) : shown ? (
        <div role="status">
          <Values title="Email" values={shown.emails} href="mailto:" />
          {shown.phones ? (
            <Values title="Phone" values={shown.phones} href="tel:" />
          ) : (
            <p class="small faint">Phone numbers are for owners and admins.</p>
          )}
          {shown.emails.length === 0 && (shown.phones ?? []).length === 0 && (
            <p class="soft">There are no contact details.</p>
          )}
          {shown.unsubscribed && <Tag tone="warn">Unsubscribed from emails</Tag>}
        </div>
      ) : (
        <>
          <ReadFault error={error} retry={reveal} />
          <p class="inline">
            <Button small busy={busy} onClick={reveal} title={`Key: ${KEYS.contact}`}>
              Show contact details
            </Button>
            <span class="small faint">Recorded with your name.</span>
          </p>
        </>
      )}
      {links.length > 0 && (
        <p class="links">
          {links.map(({ url, title }) => (
            <a key={title} href={url} target="_blank" rel="noreferrer noopener">
              {title}
            </a>
          ))}
        </p>
      )}
    </section>
  )
}

const LINKS = { linkedin_url: 'LinkedIn', github_url: 'GitHub', portfolio_url: 'Portfolio' } as const

/** An address is confirmed when its person has used a link that was mailed to it: anyone can type one into a form. */
const STATES: Readonly<Record<ContactValue['status'], string>> = {
  verified: ', confirmed',
  unverified: ', not confirmed',
  invalid: ', invalid',
}

const Values = ({ title, values, href }: { title: string; values: readonly ContactValue[]; href: string }) => (
  <>
    {values.map(({ value, kind, status }) => (
      <p key={value} class="contact-value">
        <span class="visually-hidden">{title}: </span>
        <a href={href + value}>{value}</a>
        <CopyButton value={value} label={`Copy ${value}`} />
        <span class="faint small">
          {capitalize(words(kind))}
          {(title === 'Email' || status === 'invalid') && STATES[status]}
        </span>
      </p>
    ))}
  </>
)
