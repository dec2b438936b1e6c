import { anyCompanySignIn } from '../resources/company-sign-in/index.ts'
import { passkeySite } from '../resources/second-factors/index.ts'
import { readReturnTo, type ShownPage, type SignInVisit } from './area.ts'
import { type EntryFault, showForm } from './enter.ts'
import { signInPage } from './pages.ts'

type Parts = Omit<Parameters<typeof signInPage>[0], 'returnTo' | 'company' | 'passkeys'>

/** The form with the ways to sign in that this installation has. */
export async function showSignIn(
  visit: SignInVisit,
  { status = 200, wait, ...parts }: Parts & Partial<EntryFault>,
): Promise<ShownPage> {
  const { db, publicUrl } = visit.services
  const company = (await db.only(anyCompanySignIn())).any
  const passkeys = passkeySite(publicUrl) !== undefined
  return showForm(visit, signInPage({ ...parts, returnTo: readReturnTo(visit), company, passkeys }), { status, wait })
}
