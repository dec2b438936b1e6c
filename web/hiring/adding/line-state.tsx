import { Link } from '../../ui/router.tsx'
import { Tag } from '../../ui/tag.tsx'
import { t } from '../texts/index.ts'
import { type Line, refusalWords } from './add.ts'

/** What the workspace has of a candidate: nothing for someone new. */
export function LineState({ line }: { line: Line | undefined }) {
  if (!line) return null
  const refusal = refusalWords(line)
  if (line.outcome === 'known_person')
    return (
      <Tag tone="info">{line.applications === null ? t.adding.knownPerson : t.adding.known(line.applications)}</Tag>
    )
  if (refusal === undefined) return null
  return (
    <span class="line-state">
      <Tag tone="warn">{refusal}</Tag>
      {line.application_id !== null && (
        <Link to={`/applications/${line.application_id}`}>{t.adding.openCandidate}</Link>
      )}
    </span>
  )
}
