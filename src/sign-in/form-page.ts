import type { Services } from '../kernel/services/services.ts'
import type { Html } from '../pages/html.ts'
import { anyCompanySignIn } from '../resources/company-sign-in/index.ts'
import { passkeySite } from '../resources/second-factors/index.ts'
import { signInPage } from './pages.ts'

/** With the ways to sign in that this installation has. */
export const formPage = async (
  { db, publicUrl }: Services,
  parts: Omit<Parameters<typeof signInPage>[0], 'company' | 'passkeys'>,
): Promise<Html> =>
  signInPage({
    ...parts,
    company: (await db.one(anyCompanySignIn()))!.any,
    passkeys: passkeySite(publicUrl) !== undefined,
  })
