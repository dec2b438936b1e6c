import { useState } from 'preact/hooks'
import { isManager } from '../../../src/contract/roles.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { Link } from '../../ui/router.tsx'
import { send, useData } from '../api.ts'
import '../css/setup.css'
import { useSession } from '../session.ts'
import { collectFaults, SaveBar, useDraft } from '../setup/draft.tsx'
import { FormBuilder } from '../setup/form-builder.tsx'
import { buildFormBody, copied, fieldName, fieldProblems, toField } from '../setup/form-model.ts'
import { FormPreview } from '../setup/form-preview.tsx'
import { JobPart } from '../setup/job-part.tsx'
import { problemInWords } from '../setup/problems.ts'

/** The application form of a job: that of the workspace, or one of its own. */
export function JobFormPage({ params: { id: jobId } }: PageProps<'id'>) {
  const ofJob = { job_id: jobId }
  const { user } = useSession()
  const [leaving, setLeaving] = useState(false)
  const draft = useDraft({
    read: useData('/jobs/{job_id}/form', ofJob),
    jobId,
    itemsOf: response => response.fields.map(toField),
    store: (fields, { version }) =>
      send('/jobs/{job_id}/form', ofJob, { ...buildFormBody(fields), expected_version: version }),
    nameOf: fieldName,
    saved: 'Form saved',
  })
  const { stored, items, setItems, dirty } = draft
  const own = stored !== undefined && (!stored.is_template || dirty)
  const shown = own ? items : (stored?.template.map(toField) ?? [])
  const found = fieldProblems(items)
  const problems = new Map([...collectFaults(draft.refused, 'fields', items), ...found])
  const isAdmin = isManager(user)
  return (
    <JobPart draft={draft} tab="form" title="Application form">
      {mayEdit => (
        <Section
          title={own ? 'Form of this job' : 'The workspace’s form'}
          description={
            own ? (
              'This job has its own form. Changes of the workspace’s form do not reach it.'
            ) : (
              <>
                This job uses the form of the workspace, as other jobs do.{' '}
                {isAdmin ? (
                  <Link to="/settings/form">Change it for all of them</Link>
                ) : (
                  'Owners and admins can change it.'
                )}
              </>
            )
          }
          actions={
            mayEdit &&
            (own ? (
              stored?.is_template === false && (
                <Button onClick={() => setLeaving(true)}>Use the workspace’s form</Button>
              )
            ) : (
              <Button kind="primary" onClick={() => stored && setItems(() => copied(stored.template))}>
                Make a form for this job
              </Button>
            ))
          }
        >
          {stored && (
            <FormBuilder
              fields={shown}
              onChange={setItems}
              problems={own ? problems : new Map()}
              mayEdit={mayEdit && own}
              preview={
                <FormPreview
                  title={stored.job.title}
                  fields={shown}
                  questions={stored.questions}
                  hasPhonePrescreen={stored.has_phone_prescreen}
                />
              }
            />
          )}
          <SaveBar
            draft={draft}
            problem={problemInWords(found)}
            action={stored?.is_template ? 'Save as the form of this job' : 'Save'}
          />
          {leaving && (
            <Confirm
              title="Use the workspace’s form"
              action="Use the workspace’s form"
              danger
              onClose={() => setLeaving(false)}
              onConfirm={async () => {
                await draft.run(
                  ({ version }) => send('/jobs/{job_id}/form/use-template', ofJob, { expected_version: version }),
                  'The job uses the workspace’s form',
                )
                setLeaving(false)
              }}
            >
              <p>
                The {items.length} questions of this job are removed from its form. What candidates have answered stays
                with their applications.
              </p>
            </Confirm>
          )}
        </Section>
      )}
    </JobPart>
  )
}
