import { changeSite, setLogo } from '../../src/resources/careers/index.ts'
import { acmeLogo } from '../logo.ts'
import { daysAgo, type Replay } from './replay.ts'
import type { DemoWorkspaces } from './workspaces.ts'

const LANGUAGES = ['en', 'de']

const INTRODUCTION = `Acme Robotics builds mobile robots that carry, sort and lift in warehouses and hospitals. **Around 900 of them** work next to people in eleven countries, and most of what they do was improved by someone who watched them for a day.

### What you can expect

- A decision within two weeks, and a reply either way
- People who show you what they are working on, not only what is finished
- Hybrid work where the job allows it, and a lab that is open when you need it

### How we choose

Everyone who reads your application works in the team you would join. We look at what you have built and what you want to learn. [How we treat your data](https://acme-robotics.example/privacy) is written in plain words.`

const CONFIRMATIONS = {
  en: {
    subject: 'We have received your application',
    body: `Hello {{first_name}},

Thank you for applying for the {{job_title}} position at {{company}}. Someone on the team will read your application this week, and you will hear from us within two weeks.

Kind regards,
Rosalind Acker`,
  },
  de: {
    subject: 'Ihre Bewerbung ist bei uns eingegangen',
    body: `Guten Tag {{first_name}},

vielen Dank für Ihre Bewerbung als {{job_title}} bei {{company}}. Jemand aus dem Team liest sie noch in dieser Woche, und innerhalb von zwei Wochen hören Sie von uns.

Freundliche Grüße
Rosalind Acker`,
  },
}

/** The first company has a careers site of its own look; the others have little more than every workspace begins with. */
export function planCareers(replay: Replay, { acme, globex, initech }: DemoWorkspaces): void {
  const { db, blobs } = replay.services
  // under another slug at first, which leads to the current one
  replay.plan(daysAgo(219), () => changeSite(db, acme.id, { slug: 'acme' }, LANGUAGES))
  replay.plan(daysAgo(218), () => setLogo(db, blobs, acme.id, acmeLogo()))
  replay.plan(daysAgo(217), () =>
    changeSite(
      db,
      acme.id,
      {
        slug: 'acme-robotics',
        headline: 'Build robots that people like to work with',
        introduction_md: INTRODUCTION,
        accent_color: '#0e8462',
        website_url: 'https://acme-robotics.example',
        privacy_url: 'https://acme-robotics.example/privacy',
        contact_email: 'jobs@acme-robotics.example',
        country: 'US',
        confirmations: CONFIRMATIONS,
      },
      LANGUAGES,
    ),
  )
  replay.plan(daysAgo(160), () =>
    changeSite(db, globex.id, { headline: 'Power for everyone', accent_color: '#b3541e', country: 'US' }, LANGUAGES),
  )
  replay.plan(daysAgo(150), () => changeSite(db, initech.id, { country: 'US' }, LANGUAGES))
}
