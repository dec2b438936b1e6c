import { useState } from 'preact/hooks'
import { isManager } from '../../../src/contract/roles.ts'
import { usePolling } from '../../ui/api.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Link } from '../../ui/router.tsx'
import { type Read, send, useData } from '../api.ts'
import '../css/setup.css'
import { useSession } from '../session.ts'
import { ConflictNotice, collectFaults, SaveBar, useDraft } from '../setup/draft.tsx'
import { FormBuilder } from '../setup/form-builder.tsx'
import { buildFormBody, fieldName, fieldProblems, toField } from '../setup/form-model.ts'
import { FormPreview } from '../setup/form-preview.tsx'
import { problemInWords } from '../setup/problems.ts'

const EMITTING_MS = 2_000

/** The form that jobs use unless they have one of their own. */
export function TemplateFormPage() {
  const { user } = useSession()
  const mayEdit = isManager(user)
  const [asking, setAsking] = useState(false)
  const draft = useDraft({
    read: useData('/template-form'),
    itemsOf: response => response.fields.map(toField),
    store: (fields, { version }) => send('/template-form', { ...buildFormBody(fields), expected_version: version }),
    nameOf: fieldName,
    saved: 'Form saved',
  })
  const { stored, items, setItems } = draft
  usePolling(
    { data: stored, error: draft.error, loading: false, reload: draft.reload },
    stored?.emitting ?? false,
    EMITTING_MS,
  )
  const found = fieldProblems(items)
  const problems = new Map([...collectFaults(draft.refused, 'fields', items), ...found])
  return (
    <>
      <PageHead
        title="Application form"
        description="The form of every job that has none of its own. Careers pages show it in the reader’s language where you keep the original texts."
      />
      {!mayEdit && <Notice>Owners and admins can change this form.</Notice>}
      <ConflictNotice conflict={draft.conflict} />
      {stored ? (
        <>
          <AffectedJobs stored={stored} />
          <FormBuilder
            fields={items}
            onChange={setItems}
            problems={problems}
            mayEdit={mayEdit}
            preview={<FormPreview title="Engineer" fields={items} questions={[]} hasPhonePrescreen={false} />}
          />
          <SaveBar
            draft={draft}
            problem={problemInWords(found)}
            onSave={usersOf(stored) > 0 ? () => setAsking(true) : draft.save}
          />
        </>
      ) : draft.error ? (
        <ErrorNote error={draft.error} retry={draft.reload} />
      ) : (
        <Skeleton />
      )}
      {asking && stored && (
        <Confirm
          title={`Change the form of ${counted(usersOf(stored))}?`}
          action="Save for all of them"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            setAsking(false)
            draft.save()
          }}
        >
          <p>
            {stored.jobs.published > 0
              ? `${counted(stored.jobs.published)} of them ${stored.jobs.published === 1 ? 'is' : 'are'} published: candidates see the new form immediately.`
              : 'None of them is published now.'}{' '}
            Partners get the event <code>job.sections_updated</code> for each job.
          </p>
        </Confirm>
      )}
    </>
  )
}

const counted = (n: number) => (n === 1 ? '1 job' : `${n.toLocaleString('en')} jobs`)
const usersOf = ({ jobs }: Read<'/template-form'>): number => jobs.published + jobs.draft + jobs.closed

function AffectedJobs({ stored }: { stored: Read<'/template-form'> }) {
  const { jobs, own_forms, emitting } = stored
  const users = usersOf(stored)
  const parts = (['published', 'draft', 'closed'] as const)
    .filter(status => jobs[status] > 0)
    .map(status => `${jobs[status].toLocaleString('en')} ${status === 'draft' ? 'in draft' : status}`)
  return (
    <div class="affected">
      <p>
        <strong>
          {users === 0 ? 'No job uses this form yet.' : `${counted(users)} ${users === 1 ? 'uses' : 'use'} this form`}
        </strong>
        {users > 0 &&
          `: ${new Intl.ListFormat('en').format(parts)}. A change applies to ${users === 1 ? 'it' : 'all of them'}.`}
        {emitting && ' Events of the last change are still being written.'}
      </p>
      {jobs.own > 0 && (
        <details>
          <summary>
            {counted(jobs.own)} {jobs.own === 1 ? 'has a form of its own' : 'have forms of their own'}
          </summary>
          <ul>
            {own_forms.map(job => (
              <li key={job.id}>
                <Link to={`/jobs/${job.id}/form`}>{job.title}</Link>
              </li>
            ))}
            {jobs.own > own_forms.length && <li class="soft">and {counted(jobs.own - own_forms.length)} more</li>}
          </ul>
        </details>
      )}
    </div>
  )
}
