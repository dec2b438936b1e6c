import type { Contact } from '../../../packages/resume-parser/src/index.ts'
import { QueueFullError } from '../../kernel/async/bounded-queue.ts'
import type { Services } from '../../kernel/services/services.ts'
import { splitName } from '../../kernel/text/person-name.ts'
import type { Question } from './questions.ts'
import { type ContentFault, findContentFault, parseStored, readStored } from './stored-file.ts'

/** Workspaces whose résumé is being read or waits. */
const busy = new Set<string>()

export type Reading = { fields: Record<string, string> } | 'busy' | 'unreadable' | ContentFault

/**
 * Reads an uploaded résumé in the isolated reader, and returns what fits the questions. One at a time for each
 * workspace; nothing of it is stored.
 */
export async function readForForm(
  services: Pick<Services, 'db' | 'blobs' | 'config' | 'log'>,
  workspace: string,
  uploadId: string,
  questions: readonly Question[],
): Promise<Reading> {
  if (busy.has(workspace)) return 'busy'
  busy.add(workspace)
  try {
    const file = await readStored(services, workspace, uploadId)
    if (!file) return 'unreadable'
    const fault = findContentFault(file)
    if (fault) return fault
    const { contact } = await parseStored(services, workspace, file)
    return { fields: fieldsFrom(contact, questions) }
  } catch (error) {
    if (error instanceof QueueFullError) return 'busy'
    // a file that cannot be read is no fault of the service; its text is in no message
    services.log.info({ reason: (error as Error).message }, 'a résumé was not read for an application form')
    return 'unreadable'
  } finally {
    busy.delete(workspace)
  }
}

/** The values that fit questions of this form, by the names of their inputs. */
export function fieldsFrom(
  { name, emails, phones, urls }: Contact,
  questions: readonly Question[],
): Record<string, string> {
  const { first, last } = splitName(name ?? '')
  const url = (pattern: RegExp) => urls.find(each => pattern.test(each))
  const isProfile = /linkedin\.com|xing\.com|github\.com|gitlab\.com|facebook\.com|twitter\.com|x\.com/i
  const website = urls.find(each => !isProfile.test(each))
  const values: Record<string, string | undefined> = {
    'candidate.first_name': first,
    'candidate.last_name': last,
    'candidate.email': emails[0],
    'candidate.phone': phones[0],
    'candidate.linkedin_url': url(/linkedin\.com\/in\//i),
    ...Object.fromEntries(
      questions
        .filter(({ kind, name }) => kind === 'url' && name.startsWith('answers.'))
        .map(({ name, label }) => [
          name,
          /git\s?hub/i.test(label)
            ? url(/github\.com/i)
            : /website|web site|portfolio|homepage|webseite/i.test(label)
              ? website
              : undefined,
        ]),
    ),
  }
  const asked = new Set(questions.map(question => question.name))
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value && asked.has(name) ? [[name, isUrl(name, questions) ? withScheme(value) : value]] : [],
    ),
  )
}

const isUrl = (name: string, questions: readonly Question[]) =>
  questions.some(question => question.name === name && question.kind === 'url')
const withScheme = (url: string) => (/^https?:\/\//i.test(url) ? url : `https://${url}`)
