import { useState } from 'preact/hooks'
import type { SourcedProfile } from '../../../packages/sdk/src/generated.ts'
import '../css/sourcing.css'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { ErrorNote, Notice } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { DescriptionList, PageHead, Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { buildHref, Link } from '../../ui/router.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { ProfilesToJobDialog, useMayAddToJob } from '../adding/profiles-to-job.tsx'
import { send, useData } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { NotAllowed } from '../not-allowed.tsx'
import { useMay } from '../session.ts'
import { ContactSection } from '../sourcing/contact.tsx'
import { ChooseListDialog } from '../sourcing/list-dialogs.tsx'
import { useLiveReload } from '../sourcing/live-reload.ts'
import { acquisitionName, describeWork, formatYears, OutLink, profileName } from '../sourcing/people.tsx'
import { stageTitle } from '../sourcing/stages.tsx'
import { t } from '../texts/index.ts'

const BACK = { to: '/profiles', title: 'Profiles' }

/** One candidate that the team found. */
export function ProfilePage({ params }: PageProps<'id'>) {
  const may = useMay()
  if (!may('sourced_profiles:read')) {
    return (
      <>
        <PageHead title="Profile" back={BACK} />
        <NotAllowed title="Profiles are not for your role" />
      </>
    )
  }
  return <Profile id={params.id} />
}

function Profile({ id }: { id: string }) {
  const may = useMay()
  const { data: profile, error, reload } = useData('/v1/sourced-profiles/{profile_handle}', { profile_handle: id })
  const lists = useData('/sourcing/profiles/{profile_id}/lists', { profile_id: id })
  const [adding, setAdding] = useState(false)
  const canAdd = may('lists:write') && profile !== undefined && !profile.provenance.consent.suppressed
  useLiveReload(({ type, data }) => type.startsWith('sourced_profile.') && data.object.id === id, reload)
  useLiveReload(({ type }) => type.startsWith('list_membership.'), lists.reload)
  const canAddToJob = useMayAddToJob() && profile !== undefined && !profile.provenance.consent.suppressed
  const [toJob, setToJob] = useState(false)
  useShortcuts(canAddToJob ? [{ keys: KEYS.toJob, title: t.adding.toJob, run: () => setToJob(true) }] : [])
  useShortcuts(canAdd ? [{ keys: KEYS.addToList, title: 'Add to a list', run: () => setAdding(true) }] : [])
  if (!profile || error?.status === 404) return <Pending title="Profile" back={BACK} error={error} reload={reload} />
  return (
    <>
      <PageHead
        title={profileName(profile)}
        description={profile.full_name !== null && profile.headline !== describeWork(profile) && profile.headline}
        back={BACK}
        actions={
          <>
            {canAddToJob && (
              <Button onClick={() => setToJob(true)} title={`Key: ${KEYS.toJob}`}>
                {t.adding.toJob}
              </Button>
            )}
            {canAdd && (
              <Button kind="primary" onClick={() => setAdding(true)}>
                Add to a list
              </Button>
            )}
          </>
        }
      />
      {profile.provenance.consent.suppressed && (
        <Notice tone="warn">
          This person asked for processing to stop. Contact details and files are not shown, and nothing can be added.
        </Notice>
      )}
      <div class="profile-columns">
        <div>
          <ProfileFacts profile={profile} />
          {profile.summary && (
            <Section title="Summary">
              <p class="as-written">{profile.summary}</p>
            </Section>
          )}
        </div>
        <div>
          <ContactSection profile={profile} onRevealed={reload} />
          <Section title="Lists">
            {lists.error && !lists.data ? (
              <ErrorNote error={lists.error} retry={lists.reload} />
            ) : lists.data?.data.length === 0 ? (
              <p class="soft">Not on any list yet.</p>
            ) : (
              <ul class="plain-list">
                {lists.data?.data.map(({ id: key, list, stage, added_at }) => (
                  <li key={key}>
                    <Link to={`/lists/${list.id}`}>{list.name}</Link>
                    {list.archived && <Tag>archived</Tag>}
                    <span class="faint">
                      {[list.project_name, stageTitle(stage)].filter(Boolean).join(' · ')} · added{' '}
                      <Time at={added_at} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Section>
          {may('attachments:read') && <Files id={id} />}
        </div>
      </div>
      {toJob && (
        <ProfilesToJobDialog
          people={[{ id, name: profileName(profile), hasAddress: profile.has_contact_info }]}
          onClose={() => setToJob(false)}
          onAdded={() => {}}
        />
      )}
      {adding && (
        <ChooseListDialog
          title={`Add ${profileName(profile)} to a list`}
          action="Add"
          onClose={() => setAdding(false)}
          onChosen={async list => {
            const { added } = await send(
              '/v1/lists/{list_handle}/members',
              { list_handle: list },
              { members: [{ sourced_profile_id: id }] },
            )
            setAdding(false)
            toast(added === 0 ? 'Already in the list' : 'Added')
            lists.reload()
          }}
        />
      )}
    </>
  )
}

const ProfileFacts = ({ profile }: { profile: SourcedProfile }) => (
  <DescriptionList
    rows={[
      describeWork(profile) !== '' && ['Work', describeWork(profile)],
      profile.company_industry !== null && ['Industry', profile.company_industry],
      profile.company_website !== null && [
        'Website',
        <OutLink href={profile.company_website}>{new URL(profile.company_website).hostname}</OutLink>,
      ],
      profile.department !== null && ['Department', profile.department],
      profile.management_level !== null && ['Level', profile.management_level.replaceAll('_', ' ')],
      profile.location_full !== null && ['Location', profile.location_full],
      profile.location_country !== null && ['Country', profile.location_country],
      profile.total_experience_months !== null && ['Experience', formatYears(profile.total_experience_months)],
      profile.linkedin_url !== null && ['LinkedIn', <OutLink href={profile.linkedin_url}>Open profile</OutLink>],
      profile.connections_count !== null && ['Connections', count.format(profile.connections_count)],
      profile.follower_count !== null && ['Followers', count.format(profile.follower_count)],
      profile.match_score !== null && [
        'Match when found',
        <span title="Relative to the search that found the person; not a general rating.">
          {profile.match_score} {profile.match_tier && <Tag>{profile.match_tier}</Tag>}
        </span>,
      ],
      ['Source', acquisitionName(profile.provenance.acquisition)],
      ['Saved', <Time at={profile.created_at} />],
      ['Changed', <Time at={profile.updated_at} />],
    ]}
  />
)

const FILE_TITLES: Readonly<Record<string, string>> = {
  profile_photo: 'Photo',
  resume: 'Résumé',
  business_card: 'Business card',
}

const kilobytes = (bytes: number) => `${Math.max(1, Math.round(bytes / 1024))} KB`

/** Files are fetched when they are opened; each download is audited. */
function Files({ id }: { id: string }) {
  const files = useData('/v1/sourced-profiles/{profile_handle}/attachments', { profile_handle: id })
  return (
    <Section title="Files">
      {files.error && !files.data ? (
        <ErrorNote error={files.error} retry={files.reload} />
      ) : files.data?.data.length === 0 ? (
        <p class="soft">No files.</p>
      ) : (
        <ul class="plain-list">
          {files.data?.data.map(file => (
            <li key={file.type}>
              {file.readable ? (
                <a
                  href={buildHref(`/api/v1/sourced-profiles/${id}/attachments/${file.type}/content`)}
                  download={file.filename}
                >
                  <Icon name="download" size={14} /> {FILE_TITLES[file.type] ?? file.type}
                </a>
              ) : (
                <span>{FILE_TITLES[file.type] ?? file.type}</span>
              )}
              <span class="faint">
                {file.filename} · {kilobytes(file.bytes)}
                {!file.readable && ' · not for your role'}
              </span>
            </li>
          ))}
        </ul>
      )}
      {(files.data?.data.length ?? 0) > 0 && <p class="hint-line">Each download is recorded with your name.</p>}
    </Section>
  )
}
