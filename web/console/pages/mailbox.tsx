import { ListPage } from '../../ui/list-page.tsx'
import { DescriptionList, PageHead, Pending } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { Link, navigate } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { type Row, useData, usePages } from '../api.ts'
import { MailContent } from './outbox.tsx'

type MailResponse = Row<'/mailbox'>

const COLUMNS: readonly Column<MailResponse>[] = [
  {
    title: 'Email',
    grow: true,
    cell: mail => (
      <div class="two-lines">
        <Link to={`/mailbox/${mail.id}`}>{mail.subject || '(no subject)'}</Link>
        <span class="faint">to {mail.to}</span>
      </div>
    ),
  },
  { title: 'Captured', cell: mail => <Time at={mail.sent_at} /> },
]

/** The emails that a test workspace would have sent. */
export function MailboxPage() {
  const list = usePages('/mailbox')
  return (
    <ListPage
      title="Mailbox"
      description="What this test workspace would have sent to candidates and members. Only sign-in links and invitations of members are sent. Emails are deleted after 30 days, and by a reset."
      name="Emails"
      columns={COLUMNS}
      list={list}
      rowKey={mail => mail.id}
      onRow={mail => navigate(`/mailbox/${mail.id}`)}
      empty={['No email yet', 'Messages to applicants, confirmations and alerts appear here.']}
    />
  )
}

export function CapturedMailPage({ params }: PageProps<'id'>) {
  const { data: mail, error, reload } = useData('/mailbox/{id}', { id: params.id })
  const back = { to: '/mailbox', title: 'Mailbox' }
  if (!mail) return <Pending title="Email" back={back} error={error} reload={reload} />
  return (
    <>
      <PageHead title={mail.subject || '(no subject)'} back={back} />
      <DescriptionList
        rows={[
          ['To', mail.to_name === null ? mail.to : `${mail.to_name} <${mail.to}>`],
          ['Replies to', mail.reply_to ?? 'the sender'],
          ['Captured', <ExactTime key="at" at={mail.sent_at} />],
        ]}
      />
      <MailContent text={mail.text} html={mail.html} />
    </>
  )
}
