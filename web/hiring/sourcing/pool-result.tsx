import { useState } from 'preact/hooks'
import type { MatchTier, PoolProfile } from '../../../packages/sdk/src/generated.ts'
import { cachedStem, stemmedWords } from '../../../src/kernel/text/stemmer.ts'
import { STOP_WORDS, tokenize } from '../../../src/kernel/text/tokenize.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { DescriptionList } from '../../ui/page.tsx'
import { Link } from '../../ui/router.tsx'
import { Tag, type Tone } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { describeWork, formatYears, OutLink, profileName } from './people.tsx'
import type { Selection } from './selection.tsx'

const TIER_TONES: Readonly<Record<MatchTier, Tone>> = { strong: 'good', good: 'info', fair: 'warn', weak: 'plain' }

export const isTier = (tier: string | null | undefined): tier is MatchTier => Object.hasOwn(TIER_TONES, tier ?? '')

interface ResultProps {
  profile: PoolProfile
  words: readonly string[]
  /** the profile of the workspace that was made of it */
  profileId: string | undefined
  selection: Selection | undefined
  onSave: (() => void) | undefined
}

const SHOWN_SKILLS = 8

/** Whether a skill has all words of something that was searched for, compared as the search does. It also knows synonyms. */
function isSearched(skill: string, searched: readonly string[]): boolean {
  const words = new Set(stemmedWords(skill))
  return searched.some(phrase => {
    const wanted = tokenize(phrase).filter(word => !STOP_WORDS.has(word))
    return wanted.length > 0 && wanted.every(word => words.has(cachedStem(word)))
  })
}

export function PoolResult({ profile, words, profileId, selection, onSave }: ResultProps) {
  const [open, setOpen] = useState(false)
  const name = profileName(profile)
  const years = formatYears(profile.total_experience_months)
  const facts = [describeWork(profile), profile.location_full, years && `${years} of experience`].filter(Boolean)
  const matching = profile.skills.filter(skill => isSearched(skill, words))
  const skills = [...matching, ...profile.skills.filter(skill => !matching.includes(skill))]
  return (
    <li class="result">
      {selection && (
        <input
          type="checkbox"
          checked={selection.ids.has(profile.id)}
          aria-label={`Select ${name}`}
          onChange={() => selection.toggle(profile.id)}
        />
      )}
      <div class="result-text">
        <div>
          <button type="button" class="row-button" onClick={() => setOpen(true)}>
            {name}
          </button>
          {profileId && (
            <>
              {' '}
              <Link to={`/profiles/${profileId}`} class="saved-mark">
                Saved
              </Link>
            </>
          )}
        </div>
        <div class="soft">{facts.join(' · ') || profile.headline}</div>
        {skills.length > 0 && (
          <ul class="skill-list" aria-label={`Skills of ${name}`}>
            {skills.slice(0, SHOWN_SKILLS).map(skill => (
              <li key={skill} class={matching.includes(skill) ? 'match' : undefined}>
                {skill}
              </li>
            ))}
            {skills.length > SHOWN_SKILLS && <li class="faint">{skills.length - SHOWN_SKILLS} more</li>}
          </ul>
        )}
      </div>
      {profile.match_score !== undefined && (
        <div class="result-score" title="Relative to this search; not a general rating.">
          <b>{profile.match_score}</b>
          <Tag tone={isTier(profile.match_tier) ? TIER_TONES[profile.match_tier] : 'plain'}>{profile.match_tier}</Tag>
        </div>
      )}
      {onSave && (
        <Button small onClick={onSave}>
          {profileId ? 'Add to a list' : 'Save'}
        </Button>
      )}
      {open && <PoolProfileDialog profile={profile} skills={skills} onClose={() => setOpen(false)} onSave={onSave} />}
    </li>
  )
}

interface DialogProps {
  profile: PoolProfile
  skills: readonly string[]
  onClose: () => void
  onSave: (() => void) | undefined
}

function PoolProfileDialog({ profile, skills, onClose, onSave }: DialogProps) {
  return (
    <Dialog title={profileName(profile)} onClose={onClose} wide>
      {profile.headline && profile.headline !== describeWork(profile) && <p class="soft">{profile.headline}</p>}
      <DescriptionList
        rows={[
          describeWork(profile) !== '' && ['Work', describeWork(profile)],
          profile.company_industry !== null && ['Industry', profile.company_industry],
          profile.department !== null && ['Department', profile.department],
          profile.management_level !== null && ['Level', profile.management_level.replaceAll('_', ' ')],
          profile.location_full !== null && ['Location', profile.location_full],
          profile.total_experience_months !== null && ['Experience', formatYears(profile.total_experience_months)],
          profile.languages.length > 0 && ['Languages', profile.languages.join(', ')],
          profile.linkedin_url !== null && ['LinkedIn', <OutLink href={profile.linkedin_url}>Open profile</OutLink>],
          profile.github_url !== null && ['GitHub', <OutLink href={profile.github_url}>Open profile</OutLink>],
          ['Last seen', <Time at={profile.last_seen_at} />],
        ]}
      />
      {skills.length > 0 && (
        <ul class="skill-list" aria-label="Skills">
          {skills.map(skill => (
            <li key={skill}>{skill}</li>
          ))}
        </ul>
      )}
      {profile.summary && <p class="as-written">{profile.summary}</p>}
      <p class="hint-line">The pool has no contact details. For use within the workspace only; not to be passed on.</p>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {onSave && (
          <Button
            kind="primary"
            onClick={() => {
              onClose()
              onSave()
            }}
          >
            Save to a list
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
