import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/copy.tsx'
import { Confirm, FormError } from '../../ui/dialog.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { PageHead, Section } from '../../ui/page.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { State } from '../../ui/tag.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'
import { Look, type SiteProps } from './careers-look.tsx'
import { Templates } from './careers-templates.tsx'

type CareersSiteResponse = Read<'/careers-site'>

export function CareersSitePage() {
  const { data: site, error, reload } = useData('/careers-site')
  return (
    <>
      <PageHead
        title="Careers site"
        description="The pages on which people find your jobs and apply. Changes take effect immediately."
        actions={
          site?.enabled && (
            <a class="button secondary" href={site.url} target="_blank" rel="noreferrer">
              <Icon name="external" size={15} />
              Open the site
            </a>
          )
        }
      />
      {error && !site && <ErrorNote error={error} retry={reload} />}
      {!site && !error && <Skeleton />}
      {site && (
        <>
          <OnOff site={site} reload={reload} />
          <Warnings site={site} />
          <Look site={site} reload={reload} />
          <Address site={site} reload={reload} />
          <Listing site={site} reload={reload} />
          <Templates site={site} reload={reload} />
          <OwnWebsite site={site} />
        </>
      )}
    </>
  )
}

function OnOff({ site, reload }: SiteProps) {
  const [asking, setAsking] = useState(false)
  const action = site.enabled ? 'Turn off' : 'Turn on'
  return (
    <Section
      title="Public"
      description={<State tone={site.enabled ? 'good' : 'plain'}>{site.enabled ? 'on' : 'off'}</State>}
      actions={<Button onClick={() => setAsking(true)}>{action}</Button>}
    >
      <p class="soft">
        {site.enabled
          ? 'Everyone can see your published jobs and apply for them.'
          : 'Every page of the site returns 404. Jobs and applications stay as they are.'}
      </p>
      {asking && (
        <Confirm
          title={`${action}: careers site`}
          action={action}
          danger={site.enabled}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await send('/careers-site', { enabled: !site.enabled })
            setAsking(false)
            toast(`Careers site turned ${site.enabled ? 'off' : 'on'}`)
            reload()
          }}
        >
          <p>
            {site.enabled
              ? 'Links to jobs, feeds and the list on your own website stop working until you turn the site on again. Candidates cannot open their own pages.'
              : 'Published jobs become visible to everyone, and people can apply.'}
          </p>
          {!site.enabled && site.privacy_url === null && (
            <p>
              <b>The site has no privacy notice.</b> The form would ask for personal data without saying what becomes of
              it.
            </p>
          )}
        </Confirm>
      )}
    </Section>
  )
}

/** What keeps candidates from the site, for people who would not look for it. */
function Warnings({ site }: { site: CareersSiteResponse }) {
  const places = site.unclear_places
  return (
    <>
      {site.enabled && site.privacy_url === null && (
        <Notice tone="warn">
          <p>
            The site collects applications, but has no privacy notice. The law of many countries requires one where
            people enter their data. Add its URL below.
          </p>
        </Notice>
      )}
      {places.length > 0 && <UnclearPlaces places={places} />}
    </>
  )
}

function UnclearPlaces({ places }: { places: readonly string[] }) {
  return (
    <Notice tone="warn">
      <p>
        The country of {places.length === 1 ? 'this location' : 'these locations'} of open jobs is not clear:{' '}
        <b>{places.slice(0, SHOWN_PLACES).join('; ')}</b>
        {places.length > SHOWN_PLACES && <> and {places.length - SHOWN_PLACES} more</>}. Google and job boards do not
        list jobs there. Add the country to the location, such as “Springfield, IL, USA”.
      </p>
    </Notice>
  )
}

const SHOWN_PLACES = 10

/** Other installations of the same service may have many sites; only those that allow it are named together. */
function Listing({ site, reload }: SiteProps) {
  const { busy, error, submit } = useSubmit()
  return (
    <Section
      title="Search engines"
      description={<State tone={site.listed ? 'good' : 'plain'}>{site.listed ? 'listed' : 'not listed'}</State>}
      actions={
        <Button
          busy={busy}
          onClick={() =>
            submit(async () => {
              await send('/careers-site', { listed: !site.listed })
              toast(site.listed ? 'The site is no longer listed' : 'The site is listed')
              reload()
            })
          }
        >
          {site.listed ? 'Remove from the list' : 'List the site'}
        </Button>
      }
    >
      <p class="soft">
        A listed site is named in the sitemap of this service, which search engines read by themselves. Everyone can see
        that list. Without it, submit the sitemap of your site to search engines yourself.
      </p>
      <FormError error={error} />
    </Section>
  )
}

function Address({ site, reload }: SiteProps) {
  const [slug, setSlug] = useState(site.slug)
  const { busy, error, fault, submit } = useSubmit()
  const changed = slug.trim() !== site.slug
  useLeaveGuard(changed && ENTERED)
  const base = site.url.slice(0, -site.slug.length)
  return (
    <Section title="URL" description="Your earlier URLs lead to the current one, and stay yours.">
      <Form
        class="panel narrow"
        onSubmit={() =>
          submit(async () => {
            const next = await send('/careers-site', { slug: slug.trim() })
            setSlug(next.slug)
            toast('URL saved')
            reload()
          })
        }
      >
        <TextField
          label="Name in the URL"
          value={slug}
          onInput={setSlug}
          mono
          maxLength={60}
          hint={
            <>
              Letters a to z, digits and hyphens. The site is at{' '}
              <span class="mono wrap-anywhere">
                {base}
                {slug.trim() || '…'}
              </span>
              {site.earlier_slugs.length > 0 && <>. Earlier: {site.earlier_slugs.join(', ')}</>}
            </>
          }
          fault={fault('slug')}
        />
        <FormError error={error} marked />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!changed || slug.trim() === ''}>
            Save URL
          </Button>
        </div>
      </Form>
    </Section>
  )
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** What the company's own website and job boards use. */
function OwnWebsite({ site }: { site: CareersSiteResponse }) {
  const name = site.display_name ?? site.workspace_name
  const snippet = `<div id="jobs"><a href="${site.url}">Jobs at ${escaped(name)}</a></div>
<script src="${site.url}/embed.js" data-target="#jobs" defer></script>`
  const feeds = [
    ['Atom feed', '/feed.atom', 'for feed readers and chat channels'],
    ['XML feed', '/jobs.xml', 'for Indeed, LinkedIn and other job boards'],
    ['JSON', '/jobs.json', 'for your own programs'],
    ['Sitemap', '/sitemap.xml', 'for search engines'],
  ] as const
  return (
    <Section
      title="On your website and job boards"
      description="The jobs appear where you place this script. Published jobs are in the feeds within seconds."
    >
      <div class="panel narrow">
        <p class="label">List of jobs for your own website</p>
        <CodeLine value={snippet} name="embed code" />
        <dl class="feeds">
          {feeds.map(([title, path, use]) => (
            <div key={path}>
              <dt>
                {title} <span class="soft">{use}</span>
              </dt>
              <dd>
                <CodeLine value={site.url + path} name={title} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Section>
  )
}
