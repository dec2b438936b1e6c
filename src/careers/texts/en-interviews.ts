/** What an email about an interview tells. */
interface MailedInterview {
  company: string
  job: string
  kind: string
  /** null: no time was planned */
  when: string | null
  place: string | null
  url: string | null
  /** names, joined; empty: none */
  people: string
  /** what the company adds */
  text: string | null
  times: string
  /** until when a time can be chosen */
  until: string | null
  /** the time or place was another one before */
  isChange: boolean
  /** whether the candidate has a page for it */
  hasPage: boolean
}

const facts = ({ kind, when, place, url, people, text }: MailedInterview): string[] => [
  [when, kind, place, url].filter(line => line !== null && line !== '').join('\n'),
  people === '' ? '' : `You will talk to: ${people}.`,
  text ?? '',
]

/** The English texts about interviews: emails, calendar entries and the page on which a candidate chooses a time. */
export const enInterviews = {
  kinds: { onsite: 'On site', video: 'Video call', phone: 'Phone call' } as Readonly<Record<string, string>>,
  /** Names, as a sentence lists them. */
  and: 'and',
  entry: (company: string, job: string) => `Interview at ${company}: ${job}`,
  entryPeople: (people: string) => `You will talk to: ${people}.`,
  entryPage: (url: string) => `Details, or to cancel: ${url}`,
  mails: {
    interview_times: {
      subject: (m: MailedInterview) => `Choose a time for your interview at ${m.company}`,
      body: (m: MailedInterview) => [
        `${m.company} would like to talk to you about “${m.job}”. Please choose the time that suits you best:`,
        m.times,
        [m.kind, m.place].filter(Boolean).join('\n'),
        m.people === '' ? '' : `You will talk to: ${m.people}.`,
        m.text ?? '',
        m.until === null ? '' : `You can choose until ${m.until}. If no time suits you, say so on the same page.`,
      ],
      link: 'Choose a time:',
      button: 'Choose a time',
    },
    interview_invitation: {
      subject: (m: MailedInterview) =>
        m.isChange ? `Changed: your interview at ${m.company}, ${m.when}` : `Your interview at ${m.company}, ${m.when}`,
      body: (m: MailedInterview) => [
        m.isChange
          ? `Your interview at ${m.company} for “${m.job}” has changed. This is how it is planned now:`
          : `Your interview at ${m.company} for “${m.job}” is planned:`,
        ...facts(m),
        m.hasPage
          ? 'The invitation is attached for your calendar. If you cannot come, or need another time, use the page below.'
          : 'The invitation is attached for your calendar. If you cannot come, or need another time, reply to this email.',
      ],
      link: 'View the interview, ask for another time or cancel:',
      button: 'View the interview',
    },
    interview_canceled: {
      subject: (m: MailedInterview) => `Canceled: your interview at ${m.company}`,
      body: (m: MailedInterview) => [
        m.when === null
          ? `You no longer need to choose a time for an interview at ${m.company} for “${m.job}”.`
          : `Your interview at ${m.company} for “${m.job}” on ${m.when} was canceled.`,
        m.when === null ? '' : 'Your calendar removes the entry when you open the attachment.',
      ],
      link: 'View your applications:',
      button: 'View your applications',
    },
  },
  // the page of an interview
  title: 'Your interview',
  chooseTitle: 'Choose a time for your interview',
  forJob: (company: string, job: string) => `${company} would like to talk to you about “${job}”.`,
  plannedFor: (company: string, job: string) => `With ${company}, about “${job}”.`,
  states: {
    proposed: 'Choose a time',
    scheduled: 'Planned',
    held: 'Took place',
    no_show: 'Did not take place',
    canceled: 'Canceled',
    expired: 'Times have expired',
  } as Readonly<Record<string, string>>,
  when: 'When',
  how: 'How',
  where: 'Where',
  link: 'Link',
  people: 'With',
  message: 'Message from the company',
  zone: 'Time zone',
  zoneHint: 'All times on this page are in this time zone.',
  zoneButton: 'Show in this time zone',
  times: 'Offered times',
  until: (time: string) => `You can choose until ${time}.`,
  take: 'Take this time',
  takeOf: (time: string) => `Take this time: ${time}`,
  noneLeft: 'All of the offered times are taken by now. Write to the company below that none fits.',
  none: {
    title: 'None fits',
    text: 'The company gets what you write here, and plans another time with you.',
    label: 'When could you come?',
    button: 'None fits',
    done: 'We notified the company that none of the times fits. You can still choose one until they plan another.',
  },
  move: {
    title: 'Ask for another time',
    text: 'You can ask once. The interview stays as it is until the company has planned another time.',
    label: 'When could you come?',
    button: 'Ask for another time',
    done: 'The company was asked for another time. Until they answer, the interview stays as it is.',
  },
  cancel: {
    title: 'Cancel the interview',
    text: 'The people you would have met are notified. This does not withdraw your application.',
    label: 'Message to the company',
    button: 'Cancel the interview',
  },
  optional: 'optional',
  required: 'Write when you could come.',
  tooLong: 'Write at most 2,000 characters.',
  taken: 'This time was just taken. Choose another.',
  closed: 'This time is no longer offered. Choose another.',
  chooseOne: 'Choose one of the times.',
  planned: 'Your interview is planned. You get the invitation for your calendar by email.',
  canceled: 'The interview was canceled.',
  notPossible: 'This is no longer possible: the interview has changed in the meantime.',
  open: 'Open',
  openOf: (job: string) => `Open the interview for ${job}`,
  listTitle: (job: string) => `Interviews for ${job}`,
}

export type InterviewTexts = typeof enInterviews
