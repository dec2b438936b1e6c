import { percent } from '../../ui/numbers.ts'
import { DescriptionList } from '../../ui/page.tsx'
import { Link } from '../../ui/router.tsx'
import { State, Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { stateWord } from '../outcome.ts'
import { sourceName } from '../source-names.ts'
import { STATUS_TONES } from '../status-tones.ts'
import { ContactDetails } from './contact.tsx'
import { type Candidate, dataOf, isStopped } from './data.ts'
import type { PanelProps } from './panel-props.ts'
import { RefusedPart, Withheld } from './withheld.tsx'
import { capitalize, words } from './words.ts'

export function OverviewPanel({ candidate }: PanelProps) {
  return (
    <>
      {!isStopped(candidate) && (
        <>
          <Score candidate={candidate} />
          <ContactDetails candidate={candidate} />
          <Profile candidate={candidate} />
        </>
      )}
      <Facts candidate={candidate} />
      <Others candidate={candidate} />
    </>
  )
}

function Score({ candidate: { score, application } }: { candidate: Candidate }) {
  const found = dataOf(score)
  return (
    <section class="block" aria-labelledby="score">
      <h2 id="score">Match</h2>
      {found ? (
        <>
          <p class="score">
            <b>{percent(found.match_pct)}</b>
            <progress max={100} value={found.match_pct} aria-label="Match of résumé and job" />
          </p>
          {found.gaps.length > 0 ? (
            <>
              <h3>Gaps</h3>
              <ul class="tag-list">
                {found.gaps.map(gap => (
                  <li key={gap}>
                    <Tag tone="warn">{gap}</Tag>
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <p class="soft">The résumé shows everything that the job asks for.</p>
          )}
          {found.rationale ? (
            <>
              <h3>Reasons</h3>
              <p>{found.rationale}</p>
            </>
          ) : (
            found.restricted?.includes('rationale') && (
              <p class="small faint">Owners and admins also see the reasons.</p>
            )
          )}
        </>
      ) : (
        <p class="soft">{whyNoScore(application)}</p>
      )}
    </section>
  )
}

function whyNoScore({ has_resume: hasResume, parse_status: parsed }: Candidate['application']): string {
  if (!hasResume) return 'Without a résumé there is nothing to compare with the job.'
  if (parsed === 'pending' || parsed === 'parsing') return 'The résumé is being read. The score follows.'
  if (parsed === 'failed') return 'The résumé could not be read, so it was not compared with the job.'
  return 'Not scored: the job names no skills, years or level to compare with.'
}

function Profile({ candidate: { resume, application } }: { candidate: Candidate }) {
  const found = dataOf(resume)
  const parsed = found?.parsed
  return (
    <section class="block" aria-labelledby="profile">
      <h2 id="profile">Profile</h2>
      {'refused' in resume ? (
        resume.refused.code === 'resume_locked' ? (
          <Withheld title="The profile is locked together with the résumé.">
            It was open for 120 days after the application. Unlocking the résumé shows it again.
          </Withheld>
        ) : (
          <RefusedPart refused={resume.refused} what="profiles and résumés" />
        )
      ) : parsed ? (
        <>
          {(parsed.current_title || parsed.current_company) && (
            <p class="profile-line">{[parsed.current_title, parsed.current_company].filter(Boolean).join(' at ')}</p>
          )}
          {parsed.skills.length > 0 && (
            <ul class="tag-list" aria-label="Skills">
              {parsed.skills.map(skill => (
                <li key={skill}>
                  <Tag>{skill}</Tag>
                </li>
              ))}
            </ul>
          )}
          <DescriptionList
            rows={[
              parsed.total_years_experience !== null && ['Experience', `${parsed.total_years_experience} years`],
              parsed.seniority !== null && ['Level', capitalize(words(parsed.seniority))],
              (parsed.city !== null || parsed.country !== null) && [
                'Place',
                [parsed.city, parsed.country].filter(Boolean).join(', '),
              ],
              parsed.remote_ok !== null && ['Remote work', parsed.remote_ok ? 'Yes' : 'No'],
              parsed.education_level !== null && ['Education', capitalize(words(parsed.education_level))],
              parsed.languages.length > 0 && ['Languages', parsed.languages.join(', ')],
              parsed.work_authorization !== null && ['Work permit', parsed.work_authorization],
              parsed.visa_required !== null && ['Needs a visa', parsed.visa_required ? 'Yes' : 'No'],
            ]}
          />
          <Lines title="Experience" lines={parsed.structured.experience} />
          <Lines title="Education" lines={parsed.structured.education} />
          <p class="small faint">
            Read from the résumé by fixed rules <Time at={parsed.parsed_at} />. Contact details are left out.
          </p>
        </>
      ) : (
        <p class="soft">{whyNoProfile(application)}</p>
      )}
    </section>
  )
}

function whyNoProfile({ has_resume: hasResume, parse_status: parsed }: Candidate['application']): string {
  if (!hasResume) return 'There is no résumé to read a profile from.'
  if (parsed === 'failed') return 'The file could not be read. It can still be opened and downloaded.'
  return 'The résumé is being read. The profile appears here in a moment.'
}

const Lines = ({ title, lines }: { title: string; lines: readonly string[] }) =>
  lines.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <ul class="plain-lines">
        {lines.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )

function Facts({ candidate }: { candidate: Candidate }) {
  const { application } = candidate
  const screening = dataOf(candidate.screening)
  const applicant = dataOf(candidate.applicant)
  return (
    <section class="block" aria-labelledby="facts">
      <h2 id="facts">Application</h2>
      <DescriptionList
        rows={[
          ['Applied', <Time key="applied" at={application.applied_at} />],
          ['Source', sourceName(application.source)],
          application.external_id !== null && ['Id in that system', application.external_id],
          !!application.rejection_reason && ['Rejected because', application.rejection_reason],
          candidate.notice_given_on !== null && ['Notice given on', candidate.notice_given_on],
          !!application.withdrawal_reason && ['Withdrawn because', application.withdrawal_reason],
          !!applicant?.location && ['Location', applicant.location],
          screening?.has_screening === true && [
            'Phone pre-screen',
            capitalize(words(screening.call_status ?? 'scheduled')) +
              (screening.duration_sec ? `, ${Math.max(1, Math.round(screening.duration_sec / 60))} min` : ''),
          ],
          application.voice_screening_opted_out && ['Phone pre-screen', 'Declined; do not call for it'],
        ]}
      />
    </section>
  )
}

function Others({ candidate: { others, applicant } }: { candidate: Candidate }) {
  if (others.length === 0) return null
  return (
    <section class="block" aria-labelledby="others">
      <h2 id="others">{'refused' in applicant ? 'Other applications of this person' : 'Also applied for'}</h2>
      <ul class="others">
        {others.map(other => (
          <li key={other.id}>
            <Link to={`/applications/${other.id}`}>{other.job_title ?? 'A job that was deleted'}</Link>
            <State tone={STATUS_TONES[other.status]}>{stateWord(other.status, undefined)}</State>
            <span class="faint">
              <Time at={other.applied_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
