import type { Resume } from '../../../packages/sdk/src/generated.ts'
import { percent } from '../../ui/numbers.ts'
import { DescriptionList } from '../../ui/page.tsx'
import { Link } from '../../ui/router.tsx'
import { State, Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { stateWord } from '../outcome.ts'
import { sourceName } from '../source-names.ts'
import { STATUS_TONES } from '../status-tones.ts'
import { t } from '../texts/index.ts'
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
      <h2 id="score">{t.candidate.match}</h2>
      {found ? (
        <>
          <p class="score">
            <b>{percent(found.match_pct)}</b>
            <progress max={100} value={found.match_pct} aria-label={t.candidate.matchOf} />
          </p>
          {found.gaps.length > 0 ? (
            <>
              <h3>{t.candidate.gaps}</h3>
              <ul class="tag-list">
                {found.gaps.map(gap => (
                  <li key={gap}>
                    <Tag tone="warn">{gap}</Tag>
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <p class="soft">{t.candidate.noGaps}</p>
          )}
          {found.rationale ? (
            <>
              <h3>{t.candidate.reasons}</h3>
              <p>{found.rationale}</p>
            </>
          ) : (
            found.restricted?.includes('rationale') && <p class="small faint">{t.candidate.reasonsHidden}</p>
          )}
        </>
      ) : (
        <p class="soft">{whyNoScore(application)}</p>
      )}
    </section>
  )
}

function whyNoScore({ has_resume: hasResume, parse_status: parsed }: Candidate['application']): string {
  if (!hasResume) return t.candidate.noScore.noResume
  if (parsed === 'pending' || parsed === 'parsing') return t.candidate.noScore.reading
  if (parsed === 'failed') return t.candidate.noScore.failed
  return t.candidate.noScore.nothing
}

function Profile({ candidate: { resume, application } }: { candidate: Candidate }) {
  const found = dataOf(resume)
  const parsed = found?.parsed
  return (
    <section class="block" aria-labelledby="profile">
      <h2 id="profile">{t.candidate.profile}</h2>
      {'refused' in resume ? (
        resume.refused.code === 'resume_locked' ? (
          <Withheld title={t.candidate.profileLocked}>{t.candidate.profileLockedMeans}</Withheld>
        ) : (
          <RefusedPart refused={resume.refused} what={t.candidate.profiles} />
        )
      ) : parsed ? (
        <>
          {(parsed.current_title || parsed.current_company) && <p class="profile-line">{position(parsed)}</p>}
          {parsed.skills.length > 0 && (
            <ul class="tag-list" aria-label={t.candidate.skills}>
              {parsed.skills.map(skill => (
                <li key={skill}>
                  <Tag>{skill}</Tag>
                </li>
              ))}
            </ul>
          )}
          <DescriptionList
            rows={[
              parsed.total_years_experience !== null && [
                t.candidate.experience,
                t.candidate.years(parsed.total_years_experience),
              ],
              parsed.seniority !== null && [t.candidate.level, capitalize(words(parsed.seniority))],
              (parsed.city !== null || parsed.country !== null) && [
                t.candidate.place,
                [parsed.city, parsed.country].filter(Boolean).join(', '),
              ],
              parsed.remote_ok !== null && [t.candidate.remote, parsed.remote_ok ? t.candidate.yes : t.candidate.no],
              parsed.education_level !== null && [t.candidate.education, capitalize(words(parsed.education_level))],
              parsed.languages.length > 0 && [t.candidate.languages, parsed.languages.join(', ')],
              parsed.work_authorization !== null && [t.candidate.workPermit, parsed.work_authorization],
              parsed.visa_required !== null && [
                t.candidate.visa,
                parsed.visa_required ? t.candidate.yes : t.candidate.no,
              ],
            ]}
          />
          <Lines title={t.candidate.experience} lines={parsed.structured.experience} />
          <Lines title={t.candidate.education} lines={parsed.structured.education} />
          <p class="small faint">
            {t.candidate.readByRules} <Time at={parsed.parsed_at} />. {t.candidate.contactLeftOut}
          </p>
        </>
      ) : (
        <p class="soft">{whyNoProfile(application)}</p>
      )}
    </section>
  )
}

const position = ({ current_title: title, current_company: company }: NonNullable<Resume['parsed']>): string =>
  title && company ? t.candidate.atCompany(title, company) : (title ?? company ?? '')

function whyNoProfile({ has_resume: hasResume, parse_status: parsed }: Candidate['application']): string {
  if (!hasResume) return t.candidate.noProfile.noResume
  if (parsed === 'failed') return t.candidate.noProfile.failed
  return t.candidate.noProfile.reading
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
      <h2 id="facts">{t.candidate.application}</h2>
      <DescriptionList
        rows={[
          [t.candidate.appliedOn, <Time key="applied" at={application.applied_at} />],
          [t.candidate.source, sourceName(application.source)],
          application.external_id !== null && [t.candidate.externalId, application.external_id],
          !!application.rejection_reason && [t.candidate.rejectedBecause, application.rejection_reason],
          candidate.notice_given_on !== null && [t.candidate.noticeGiven, candidate.notice_given_on],
          !!application.withdrawal_reason && [t.candidate.withdrawnBecause, application.withdrawal_reason],
          !!applicant?.location && [t.candidate.location, applicant.location],
          screening?.has_screening === true && [
            t.candidate.prescreen,
            capitalize(words(screening.call_status ?? 'scheduled')) +
              (screening.duration_sec ? `, ${Math.max(1, Math.round(screening.duration_sec / 60))} min` : ''),
          ],
          application.voice_screening_opted_out && [t.candidate.prescreen, t.candidate.prescreenDeclined],
        ]}
      />
    </section>
  )
}

function Others({ candidate: { others, applicant } }: { candidate: Candidate }) {
  if (others.length === 0) return null
  return (
    <section class="block" aria-labelledby="others">
      <h2 id="others">{'refused' in applicant ? t.candidate.otherApplications : t.candidate.alsoApplied}</h2>
      <ul class="others">
        {others.map(other => (
          <li key={other.id}>
            <Link to={`/applications/${other.id}`}>{other.job_title ?? t.activity.deletedJob}</Link>
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
