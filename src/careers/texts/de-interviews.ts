import type { InterviewTexts } from './en-interviews.ts'

type MailedInterview = Parameters<InterviewTexts['mails']['interview_times']['subject']>[0]

const facts = ({ kind, when, place, url, people, text }: MailedInterview): string[] => [
  [when, kind, place, url].filter(line => line !== null && line !== '').join('\n'),
  people === '' ? '' : `Sie sprechen mit: ${people}.`,
  text ?? '',
]

/** Die deutschen Texte zu Gesprächen. */
export const deInterviews: InterviewTexts = {
  kinds: { onsite: 'Vor Ort', video: 'Videogespräch', phone: 'Telefongespräch' },
  and: 'und',
  entry: (company, job) => `Gespräch bei ${company}: ${job}`,
  entryPeople: people => `Sie sprechen mit: ${people}.`,
  entryPage: url => `Einzelheiten, oder zum Absagen: ${url}`,
  mails: {
    interview_times: {
      subject: m => `Wählen Sie eine Zeit für Ihr Gespräch bei ${m.company}`,
      body: m => [
        `${m.company} möchte mit Ihnen über „${m.job}“ sprechen. Bitte wählen Sie die Zeit, die Ihnen am besten passt:`,
        m.times,
        [m.kind, m.place].filter(Boolean).join('\n'),
        m.people === '' ? '' : `Sie sprechen mit: ${m.people}.`,
        m.text ?? '',
        m.until === null
          ? ''
          : `Sie können bis ${m.until} wählen. Wenn keine Zeit passt, sagen Sie es auf derselben Seite.`,
      ],
      link: 'Zeit wählen:',
      button: 'Zeit wählen',
    },
    interview_invitation: {
      subject: m =>
        m.isChange ? `Geändert: Ihr Gespräch bei ${m.company}, ${m.when}` : `Ihr Gespräch bei ${m.company}, ${m.when}`,
      body: m => [
        m.isChange
          ? `Ihr Gespräch bei ${m.company} zu „${m.job}“ hat sich geändert. So ist es jetzt geplant:`
          : `Ihr Gespräch bei ${m.company} zu „${m.job}“ ist geplant:`,
        ...facts(m),
        m.hasPage
          ? 'Die Einladung für Ihren Kalender ist angehängt. Wenn Sie nicht können oder eine andere Zeit brauchen, nutzen Sie die Seite unten.'
          : 'Die Einladung für Ihren Kalender ist angehängt. Wenn Sie nicht können oder eine andere Zeit brauchen, antworten Sie auf diese E-Mail.',
      ],
      link: 'Gespräch ansehen, um eine andere Zeit bitten oder absagen:',
      button: 'Gespräch ansehen',
    },
    interview_canceled: {
      subject: m => `Abgesagt: Ihr Gespräch bei ${m.company}`,
      body: m => [
        m.when === null
          ? `Sie brauchen keine Zeit mehr für ein Gespräch bei ${m.company} zu „${m.job}“ zu wählen.`
          : `Ihr Gespräch bei ${m.company} zu „${m.job}“ am ${m.when} wurde abgesagt.`,
        m.when === null ? '' : 'Ihr Kalender entfernt den Eintrag, wenn Sie den Anhang öffnen.',
      ],
      link: 'Bewerbungen ansehen:',
      button: 'Bewerbungen ansehen',
    },
  },
  title: 'Ihr Gespräch',
  chooseTitle: 'Zeit für Ihr Gespräch wählen',
  forJob: (company, job) => `${company} möchte mit Ihnen über „${job}“ sprechen.`,
  plannedFor: (company, job) => `Mit ${company}, über „${job}“.`,
  states: {
    proposed: 'Zeit wählen',
    scheduled: 'Geplant',
    held: 'Hat stattgefunden',
    no_show: 'Hat nicht stattgefunden',
    canceled: 'Abgesagt',
    expired: 'Zeiten abgelaufen',
  },
  when: 'Wann',
  how: 'Wie',
  where: 'Wo',
  link: 'Link',
  people: 'Mit',
  message: 'Nachricht des Unternehmens',
  zone: 'Zeitzone',
  zoneHint: 'Alle Zeiten auf dieser Seite sind in dieser Zeitzone.',
  zoneButton: 'In dieser Zeitzone zeigen',
  times: 'Angebotene Zeiten',
  until: time => `Sie können bis ${time} wählen.`,
  take: 'Diese Zeit nehmen',
  takeOf: time => `Diese Zeit nehmen: ${time}`,
  noneLeft: 'Alle angebotenen Zeiten sind inzwischen vergeben. Schreiben Sie dem Unternehmen unten, dass keine passt.',
  none: {
    title: 'Keine passt',
    text: 'Das Unternehmen erhält, was Sie hier schreiben, und plant mit Ihnen eine andere Zeit.',
    label: 'Wann könnten Sie kommen?',
    button: 'Keine passt',
    done: 'Das Unternehmen weiß, dass keine der Zeiten passt. Bis es eine andere plant, können Sie noch eine wählen.',
  },
  move: {
    title: 'Um eine andere Zeit bitten',
    text: 'Sie können einmal darum bitten. Das Gespräch bleibt, wie es ist, bis das Unternehmen eine andere Zeit geplant hat.',
    label: 'Wann könnten Sie kommen?',
    button: 'Um eine andere Zeit bitten',
    done: 'Das Unternehmen wurde um eine andere Zeit gebeten. Bis zur Antwort bleibt das Gespräch, wie es ist.',
  },
  cancel: {
    title: 'Gespräch absagen',
    text: 'Die Personen, mit denen Sie gesprochen hätten, werden benachrichtigt. Ihre Bewerbung ziehen Sie damit nicht zurück.',
    label: 'Nachricht an das Unternehmen',
    button: 'Gespräch absagen',
  },
  optional: 'freiwillig',
  required: 'Schreiben Sie, wann Sie könnten.',
  tooLong: 'Schreiben Sie höchstens 2.000 Zeichen.',
  taken: 'Diese Zeit wurde gerade vergeben. Wählen Sie eine andere.',
  closed: 'Diese Zeit wird nicht mehr angeboten. Wählen Sie eine andere.',
  chooseOne: 'Wählen Sie eine der Zeiten.',
  planned: 'Ihr Gespräch ist geplant. Die Einladung für Ihren Kalender erhalten Sie per E-Mail.',
  canceled: 'Das Gespräch wurde abgesagt.',
  notPossible: 'Das ist nicht mehr möglich: Das Gespräch hat sich inzwischen geändert.',
  open: 'Öffnen',
  openOf: job => `Gespräch zu ${job} öffnen`,
  listTitle: job => `Gespräche zu ${job}`,
}
