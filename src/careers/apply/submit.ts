import type { Html } from '../../pages/html.ts'
import type { Shown } from '../../programs/page.ts'
import type { SiteVisit } from '../visit.ts'
import { createFrom } from './create.ts'
import { outcomePage } from './outcome-page.ts'
import { receiveSent } from './sent-form.ts'

/**
 * An application from the page. It was counted before anything is read; then the form is read, its files go to the store
 * while they arrive, and the application is created. Beyond the limit (`wait`, in seconds) nothing is stored, and the form
 * is only read to be shown again.
 */
export async function submit(visit: SiteVisit, wait?: number): Promise<Shown<Html>> {
  const sent = await receiveSent(visit, wait !== undefined)
  return outcomePage(sent, await createFrom(sent, wait))
}
