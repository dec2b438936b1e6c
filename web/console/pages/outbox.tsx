import { Button } from '../../ui/button.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { DescriptionList, PageHead, Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { Link, navigate } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { type Row, useData } from '../api.ts'

type MailResponse = Row<'/outbox'>

const COLUMNS: readonly Column<MailResponse>[] = [
  {
    title: 'Mail',
    grow: true,
    cell: mail => (
      <div class="two-lines">
        <Link to={`/outbox/${mail.id}`}>{mail.subject || '(no subject)'}</Link>
        <span class="faint">to {mail.to}</span>
      </div>
    ),
  },
  { title: 'From', wide: true, cell: mail => mail.from },
  { title: 'Written', cell: mail => <Time at={mail.at} /> },
]

export function OutboxPage() {
  const read = useData('/outbox')
  return (
    <ListPage
      title="Outbox"
      description="No mail server is configured, so emails are stored here instead of being sent. Set SMTP_URL to send them."
      actions={<Button onClick={read.reload}>Refresh</Button>}
      name="Mails"
      columns={COLUMNS}
      list={{ ...read, rows: read.data?.data }}
      rowKey={mail => mail.id}
      onRow={mail => navigate(`/outbox/${mail.id}`)}
      empty={['No email yet', 'Invitations, sign-in links and messages to applicants appear here.']}
    />
  )
}

export function MailPage({ params }: PageProps<'id'>) {
  const { data: mail, error, reload } = useData('/outbox/{id}', { id: params.id })
  const back = { to: '/outbox', title: 'Outbox' }
  if (!mail) return <Pending title="Mail" back={back} error={error} reload={reload} />
  return (
    <>
      <PageHead title={mail.subject || '(no subject)'} back={back} />
      <DescriptionList
        rows={[
          ['To', mail.to],
          ['From', mail.from],
          ['Written', <ExactTime key="at" at={mail.at} />],
        ]}
      />
      {mail.hides_links && (
        <Notice>
          The link opens the candidate’s own pages with data that members may not read, so its token is hidden here. The
          whole email is the file <code>outbox/{mail.id}.eml</code> in the data folder of the service: open it with a
          mail program.
        </Notice>
      )}
      <MailContent {...mail} />
    </>
  )
}

/** The two renderings of an email. */
export const MailContent = ({ text, html }: { text: string; html: string | null }) => (
  <>
    <Section title="Text">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="code-frame mail-text" tabIndex={0} aria-label="Text of the email">
        <Linked text={text} />
      </section>
    </Section>
    {html !== null && (
      <Section title="HTML" description="Shown without scripts, images and styles.">
        {/* no permission at all: no scripts, no forms, no way to the page around it */}
        <iframe class="mail-html" sandbox="" srcdoc={html} title="HTML of the email" />
      </Section>
    )}
  </>
)

/** The text with its addresses on this very service as links; others, and those without their token, stay text. */
const Linked = ({ text }: { text: string }) => (
  <>
    {text.split(/(https?:\/\/\S+)/).map((part, i) =>
      part.startsWith(`${location.origin}/`) && !part.includes('=[hidden]') ? (
        <a key={i} href={part}>
          {part}
        </a>
      ) : (
        part
      ),
    )}
  </>
)
