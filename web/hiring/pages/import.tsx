import '../css/sourcing.css'
import { Segments, SelectField } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page.tsx'
import { useFilters } from '../../ui/router.tsx'
import { CandidateImport } from '../import/candidates.tsx'
import { ProfileImport } from '../import/profiles.tsx'
import { useJobs } from '../insight/filters.tsx'
import { useJobRights } from '../job-rights.ts'
import { NotAllowed } from '../not-allowed.tsx'
import { useMay } from '../session.ts'
import { t } from '../texts/index.ts'

const CANDIDATES = 'candidates'

/** A table of people becomes profiles, or candidates of a job: first a check of every line, then the import. */
export function ImportPage() {
  const [{ to, job, list }, setFilters] = useFilters(['to', 'job', 'list'])
  const may = useMay()('lists:write')
  const isForJob = to === CANDIDATES
  return (
    <>
      <PageHead
        title={t.imports.title}
        description={t.imports.description}
        back={{ to: '/profiles', title: t.imports.back }}
      />
      {!may ? (
        <NotAllowed title={t.imports.forbidden} />
      ) : (
        <>
          <div class="import-kind">
            <Segments
              label={t.imports.what}
              value={to}
              options={[
                ['', t.imports.profiles],
                [CANDIDATES, t.imports.candidates],
              ]}
              onInput={next => setFilters({ to: next })}
            />
            {isForJob && <IntoJob value={job} onInput={id => setFilters({ job: id })} />}
          </div>
          {!isForJob ? (
            <ProfileImport list={list} onList={id => setFilters({ list: id })} />
          ) : (
            job !== '' && <CandidateImport key={job} job={job} />
          )}
        </>
      )}
    </>
  )
}

/** The jobs in which the reader decides about candidates. */
function IntoJob({ value, onInput }: { value: string; onInput: (id: string) => void }) {
  const may = useJobRights()
  const jobs = useJobs().filter(([id]) => may(id, 'decide'))
  return (
    <SelectField label={t.imports.job} value={value} onInput={onInput} options={[['', t.imports.chooseJob], ...jobs]} />
  )
}
