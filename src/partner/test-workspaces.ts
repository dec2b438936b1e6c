import { mailboxDomain } from '../kernel/config/config.ts'
import { ApiError, fail } from '../kernel/errors/api-error.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { type Html, html } from '../pages/html.ts'
import type { Shown } from '../programs/page.ts'
import type { IssuedKey } from '../resources/keys/index.ts'
import { createTestWorkspaceWithKey, selectTestWorkspaces } from '../resources/test-workspaces/index.ts'
import { csrfField } from '../sign-in/pages.ts'
import type { SignedInPartner } from './api.ts'
import { page } from './area.ts'
import { TEST_WORKSPACES_PATH } from './layout.ts'
import { offersTests, readView, shown } from './view.ts'

/**
 * Where the operator allows it, a key of a member creates test workspaces of its own workspace. The others are counted and
 * not listed: their names are not for everyone who has a key.
 */
export const testWorkspacePages = [
  page({
    path: '/test-workspaces',
    session: 'needed',
    csrf: 'session',
    show: visit => showTestWorkspaces(visit),
    submit: async visit => {
      if (!offersTests(visit)) return fail('not_found')
      const { services, form, session } = visit
      const { homeWorkspace, userId } = session.authenticated.caller
      const name = form.get('name') ?? ''
      const wanted = { name, of: homeWorkspace, mailboxDomain: mailboxDomain(services.config) }
      try {
        return await showTestWorkspaces(visit, {
          created: await createTestWorkspaceWithKey(services.db, wanted, userId),
        })
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        const failed = new ApiError('invalid_request', { message: asSentence(error.message) })
        return showTestWorkspaces(visit, { failed, name })
      }
    },
  }),
]

const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

interface Outcome {
  created?: IssuedKey
  failed?: ApiError
  /** the name that was refused */
  name?: string
}

async function showTestWorkspaces(visit: SignedInPartner, outcome: Outcome = {}): Promise<Shown<Html>> {
  if (!offersTests(visit)) return fail('not_found')
  const view = await readView(visit)
  const { db } = visit.services
  const existing = await db.query(selectTestWorkspaces(visit.session.authenticated.caller.homeWorkspace))
  const body = html`${outcome.created && newKey(outcome.created)}
<section class="panel"><h2>New test workspace</h2>
${
  view.me.owner_user_id === null
    ? html`<p>This key belongs to no member, so a test workspace would have no owner. Owners and admins of the workspace create one in the console.</p>`
    : html`<p class="soft">You get a key of it with every scope. The member to whom this key belongs becomes its owner.</p>
<form method="post" action="${TEST_WORKSPACES_PATH}">${csrfField(view.session.csrfToken)}
<div class="field"><label for="name">Name</label><input id="name" name="name" value="${outcome.name ?? ''}" placeholder="Integration tests" maxlength="100" required${outcome.failed && html` aria-invalid="true"`}></div>
<div class="actions"><button class="button" type="submit">Create</button></div></form>`
}
<p class="small soft">The workspace of this key has ${existing.length} of at most five.</p>
</section>`
  const title = 'Test workspaces'
  const description =
    'Workspaces of their own for integrations: no email is sent, only test addresses are stored, and everything can be reset.'
  return shown(view, { path: TEST_WORKSPACES_PATH, title, description, body }, outcome.failed)
}

const newKey = ({
  workspace_id,
  secret,
}: IssuedKey): Html => html`<section class="panel"><h2>Key of the new test workspace</h2>
<p><code>${secret}</code></p>
<p>Store it now. It is not shown again. The workspace is <code>${workspace_id}</code>; <a href="/docs/guides/test-workspaces">Test workspaces</a> says what you can do with it.</p>
</section>`
