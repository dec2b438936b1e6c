import { randomUUID } from 'node:crypto'
import { REPLY_LENGTH } from '../../contract/limits.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { isUuid } from '../../kernel/http/params.ts'
import { charactersIn } from '../../kernel/text/text.ts'
import { ownApplication, writeToCompany } from '../../resources/candidates/index.ts'
import { companyOf } from '../shell.ts'
import { page } from './area.ts'
import { done, limit, shown } from './own-pages.ts'
import { notWrittenPage, type OwnVisit, writePage } from './pages.ts'

const application = async ({ services, session }: OwnVisit, id: string) =>
  (await ownApplication(services.db, session, id)) ?? fail('not_found')

/** Writing back to the company, without a mail server of ours. */
export const writePages = [
  page({
    path: '/me/applications/{id}/write',
    session: 'needed',
    csrf: 'session',
    formBytes: 65_536,
    limit,
    show: async visit => {
      const { title } = visit.texts.candidate.write
      const body = writePage(visit, await application(visit, visit.params.id), { formId: randomUUID() })
      return shown(title(companyOf(visit.site)), body)
    },
    submit: async visit => {
      const { write } = visit.texts.candidate
      const { services, session, form } = visit
      const own = await application(visit, visit.params.id)
      const title = write.title(companyOf(visit.site))
      const body = (form.get('text') ?? '').replaceAll('\r\n', '\n').trim()
      const given = form.get('form') ?? ''
      const formId = isUuid(given) ? given : randomUUID()
      const fault = body === '' ? write.missing : charactersIn(body) > REPLY_LENGTH ? write.tooLong : undefined
      const bad = /[^\P{Cc}\t\n]/u.test(body) || !body.isWellFormed() ? write.badText : undefined
      const found = fault ?? bad
      if (found !== undefined)
        return shown(title, writePage(visit, own, { formId, body, fault: found }), { status: 422 })
      const isStored = await writeToCompany(services, session, own.id, { body, formId })
      return isStored ? done(visit, 'written') : shown(title, notWrittenPage(visit), { status: 409 })
    },
  }),
]
