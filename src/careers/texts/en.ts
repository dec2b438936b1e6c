/** Names of values of the API. */
type Names = Readonly<Record<string, string>>

/**
 * Every text of the careers site in English. Another language is one more file of this form: `Texts` makes the compiler
 * ask for each of them. Functions take what differs; nothing is put together from parts of sentences elsewhere.
 */
export const en = {
  language: { code: 'en', name: 'English', switch: 'Language', locale: 'en-GB' },

  // frame of every page
  frame: {
    skip: 'Skip to content',
    navigation: 'Pages of this site',
    allJobs: 'All jobs',
    yourApplications: 'Your applications',
    theme: 'Switch between light and dark',
    privacy: 'Privacy',
    website: (company: string) => `Website of ${company}`,
    careersAt: (company: string) => `Careers at ${company}`,
    // pages of a failure
    notFound: 'Page not found',
    notFoundText:
      'This page does not exist, or the position is no longer public. Check the address, or look at all open positions.',
    noSite: 'There is no careers site here',
    noSiteText: 'Check the address: every company has its own, which ends in its name.',
    notUsable: 'This page cannot be used like that',
    notUsableText: 'Open it from a link on this site.',
    tooLarge: 'That is too much to send',
    tooLargeText: 'Go back, shorten what you entered and send it again.',
    tooLong: 'The connection was too slow',
    tooLongText: 'Nothing was stored. Go back and send it again.',
    refused: 'This request could not be accepted',
    refusedText: 'Go back, check what you entered and send it again.',
    unavailable: 'Temporarily unavailable',
    unavailableText: 'Nothing was stored. Please try again in a moment.',
    broken: 'Something went wrong on our side',
    brokenText: 'We are sorry. Please try again. If it fails again, tell the company this number:',
    again: 'Try again',
    whichCompany: 'Careers sites',
    whichCompanyText:
      'Several companies publish their jobs here, each at its own address: it ends in the name of the company. Follow the link on the website of the company, or the link in its job advertisement.',
  },

  // list of jobs
  list: {
    title: 'Open positions',
    search: 'Search jobs',
    searchHint: 'Title, skill or keyword',
    filters: { department: 'Department', location: 'Location', workplace: 'Workplace', type: 'Employment type' },
    all: {
      department: 'All departments',
      location: 'All locations',
      workplace: 'Any',
      type: 'Any',
    },
    submit: 'Search',
    clear: 'Clear search and filters',
    open: (jobs: number) => (jobs === 1 ? '1 open position' : `${jobs.toLocaleString('en-GB')} open positions`),
    matching: (jobs: number, all: number) =>
      `${jobs.toLocaleString('en-GB')} of ${all.toLocaleString('en-GB')} open positions match`,
    found: (jobs: number) =>
      jobs === 1 ? '1 open position matches' : `${jobs.toLocaleString('en-GB')} open positions match`,
    otherDepartment: 'More positions',
    noneOpen: 'No open positions at the moment',
    noneOpenText: 'New positions appear here as soon as they are published. Please come back later.',
    noneMatch: 'Nothing matches your search',
    noneMatchText: 'Try other words or fewer filters.',
    pages: 'Pages of the list',
    previous: 'Previous',
    next: 'Next',
    pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
    showing: (first: number, last: number, all: number) =>
      `${first.toLocaleString('en-GB')} to ${last.toLocaleString('en-GB')} of ${all.toLocaleString('en-GB')}`,
    failed: 'The list could not be loaded. Please try again.',
  },

  // page of a job
  job: {
    // by their names in the API; a name that is missing here is shown as it is
    workplaces: { remote: 'Remote', hybrid: 'Hybrid', onsite: 'On site' } as Names,
    types: {
      full_time: 'Full time',
      part_time: 'Part time',
      contract: 'Contract',
      intern: 'Internship',
      temp: 'Temporary',
    } as Names,
    levels: {
      intern: 'Internship',
      junior: 'Junior',
      mid: 'Mid level',
      senior: 'Senior',
      lead: 'Lead',
      principal: 'Principal',
    } as Names,
    intervals: { hourly: 'per hour', monthly: 'per month', annual: 'per year' } as Names,
    per: (amount: string, interval: string) => `${amount} ${interval}`,
    from: (amount: string) => `From ${amount}`,
    upTo: (amount: string) => `Up to ${amount}`,
    moreLocations: (more: number) => `${more} more`,
    facts: 'At a glance',
    department: 'Department',
    team: 'Team',
    locations: (places: number): string => (places === 1 ? 'Location' : 'Locations'),
    workplace: 'Workplace',
    type: 'Employment type',
    level: 'Experience',
    years: (low: number | null, high: number | null) =>
      low !== null && high !== null && low !== high
        ? `${low} to ${high} years`
        : low === null
          ? `up to ${high} years`
          : low === high
            ? low === 1
              ? '1 year'
              : `${low} years`
            : `at least ${low} ${low === 1 ? 'year' : 'years'}`,
    salary: 'Salary',
    equity: 'Equity',
    commission: 'Commission',
    commissionPaid: 'In addition to the salary',
    published: 'Published',
    closes: 'Apply by',
    about: 'About the position',
    responsibilities: 'What you will do',
    requirements: 'What you bring',
    niceToHave: 'Nice to have',
    skills: 'Skills',
    skillsRequired: 'Required',
    skillsPreferred: 'Helpful',
    benefits: 'What we offer',
    process: 'How the process goes',
    // stages that still have the name of the default pipeline
    stages: { Applied: 'Application', Screen: 'First conversation', Interview: 'Interview', Offer: 'Offer' } as Names,
    apply: 'Apply now',
    applyAt: (host: string) => `Apply at ${host}`,
    applyElsewhere: 'Applications are taken on another website.',
    noApplications: 'This position does not accept applications at the moment.',
    others: 'Other open positions',
    all: 'All open positions',
    closed: 'This position is closed',
    closedText: (title: string) =>
      `“${title}” no longer accepts applications: the position is filled or was withdrawn.`,
    closedApplied: 'Have you applied? You can still see your application.',
    noOthers: 'There are no other open positions at the moment.',
  },

  // feeds and link previews
  feeds: {},

  // application form
  apply: {
    title: (job: string) => `Apply: ${job}`,
    back: 'Back to the job',
    intro: 'Fields that are not marked as optional are required.',
    send: 'Send application',
    optional: '(optional)',
    choose: 'Choose',
    noAnswer: 'No answer',
    yes: 'Yes',
    no: 'No',
    privacy: 'How we use your data',
    noScript: 'Your files and answers are sent together when you press the button below.',

    // labels of the form that every workspace starts with; others are shown as the company wrote them
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email address',
    emailHint: 'We send the confirmation to this address.',
    phone: 'Phone',
    phoneHint: 'With the country code, such as +44 20 7946 0000.',
    linkedin: 'LinkedIn profile',
    linkedinHint: 'Such as https://www.linkedin.com/in/your-name',
    resume: 'Résumé',
    coverLetter: 'Cover letter',

    // conditional questions, for readers without scripts
    onlyIf: (question: string, answers: string) => `Only if you answered ${answers} to “${question}”.`,
    quoted: (text: string) => `“${text}”`,
    or: 'or',
    count: (most: number) => `At most ${most.toLocaleString('en-GB')} characters.`,

    // files
    fileHint: 'PDF, Word, RTF or plain text, up to 5 MB.',
    answerFileHint: 'PDF, Word, RTF, plain text, PNG or JPEG, up to 5 MB.',
    dropText: 'Drag a file here, or choose one:',
    pasteInstead: 'Or paste your résumé as text',
    pasted: 'Text of your résumé',
    fileKept: 'This file is already uploaded.',
    fileRemove: 'Remove this file',
    fileReplace: 'Choose another file to replace it:',

    // parts of the form
    prescreenTitle: 'A few questions',
    prescreenHint: 'Your answers help to prepare the first conversation.',
    callTitle: 'Phone pre-screen',
    callText: 'This job has a short pre-screen by phone. It is not required: your application counts in any case.',
    callPhone: 'Number to call',
    callPhoneHint: 'If it is not the phone number above.',
    callOptOut: 'Do not call me for a pre-screen',
    eeoTitle: 'Equal opportunities',
    eeoText:
      'These questions are voluntary. Your answers are stored apart from your application and are never shown to the people who decide about it.',
    consentTitle: 'Consent',
    trap: 'Leave this field empty',

    // faults
    faultTitle: 'There is a problem',
    faultPrefix: 'Error:',
    missing: (label: string) => `“${label}” needs an answer`,
    enterFirstName: 'Enter your first name',
    enterLastName: 'Enter your last name',
    enterEmail: 'Enter your email address',
    badEmail: 'Enter an email address in the form name@example.com',
    enterPhone: 'Enter your phone number',
    badPhone: 'Enter a phone number with digits, spaces and + ( ) . - only',
    enterLinkedin: 'Enter the address of your LinkedIn profile',
    badLinkedin: 'Enter the address of a LinkedIn profile, such as https://www.linkedin.com/in/your-name',
    enterResume: 'Add your résumé: choose a file or paste its text',
    enterFile: (label: string) => `“${label}” needs a file`,
    tickBox: (label: string) => `Tick the box to continue: “${label}”`,
    consentChanged: 'The text has changed. Please read it again, and tick the box if you agree.',
    badNumber: (label: string) => `“${label}” must be a number, such as 12 or 3.5`,
    badDate: (label: string) => `“${label}” must be a date, such as 2026-11-30`,
    badUrl: (label: string) => `“${label}” must be a web address that begins with https://`,
    badOption: (label: string) => `“${label}”: choose from the answers that are offered`,
    badValue: (label: string) => `“${label}” has an answer that cannot be read`,
    tooLong: (label: string, most: number) => `“${label}” must have at most ${most.toLocaleString('en-GB')} characters`,
    fileTooLarge: 'The file is larger than 5 MB. Choose a smaller one.',
    fileEmpty: 'The file is empty. Choose another one.',
    fileType: 'Files of this type are not accepted here. Choose a PDF, for example.',
    fileGone: 'The file was not sent in time and is no longer stored. Choose it again.',
    fileFailed: 'The file did not arrive. Choose it again.',

    // what can happen to a form
    expired: 'This page was open for a long time. Nothing is lost: check your entries and send them again.',
    tooFast: 'That was very quick. Check your entries and send them again in a few seconds.',
    alreadySent: 'This form was sent before. If you want to send it again with these entries, press the button below.',
    unavailable: 'Your application could not be stored at the moment. Nothing is lost: try again in a minute.',
    waitTitle: 'Please wait a little',
    wait: (time: string) => `Many applications came from your network. You can send yours again in ${time}.`,
    waitKept: 'Go back in your browser: your entries are still there.',
    seconds: (n: number) => (n === 1 ? 'one second' : `${n} seconds`),
    minutes: (n: number) => (n === 1 ? 'one minute' : `${n} minutes`),
    refusedTitle: 'This form cannot be used',
    refused: 'The form was not sent from a page of this site. Open the job again and apply there.',
    closedTitle: 'This job no longer accepts applications',
    closedText: 'The position was closed while you were writing. Your application was not sent.',
    closedKept: 'What you wrote, for you to copy:',
    otherJobs: 'See the open jobs',
    doneTitle: 'Thank you',
    done: 'We have received your application. A confirmation goes to the address you gave.',
    doneAgain: 'If you had applied before, your earlier application stays as it is.',
    doneNext: 'With the link in that email you can see your application, correct your details or withdraw.',

    // texts of the script; {…} is filled in
    script: {
      drop: 'Drag a file here, or choose one',
      uploading: 'Uploading: {percent} %',
      uploaded: 'Uploaded',
      cancel: 'Cancel',
      remove: 'Remove',
      replace: 'Replace',
      retry: 'Try again',
      uploadFailed: 'The upload did not finish. Check your connection.',
      waiting: 'No connection. The upload goes on when you are online again.',
      canceled: 'The upload was canceled.',
      removed: 'The file was removed.',
      fileName: 'Pasted text',
      reading: 'Reading your résumé to fill in blank fields. You can go on.',
      filled: 'Filled in from your résumé: {fields}. Please check.',
      nothingFilled: 'Your résumé was read. There was nothing to fill in.',
      filledMark: 'From your résumé',
      left: '{n} characters left',
      over: '{n} characters too many',
      draft: 'We restored what you typed on this device.',
      draftFiles: 'Please choose your file again.',
      startOver: 'Start over',
      startedOver: 'The form is empty again.',
      sentBefore: 'You have sent this form. If you send it again, your first application stays as it is.',
      preparing: 'Preparing to send. This takes a moment.',
      waitUpload: 'Waiting for the upload to finish.',
      sending: 'Sending',
      sendFailed: 'Your application could not be sent. Check your connection and try again. Nothing is lost.',
    },
  },

  // candidate's own pages
  candidate: {},

  // emails to candidates
  mail: {
    greeting: (name: string | null) => (name === null ? 'Hello,' : `Hello ${name},`),
    confirmation: {
      subject: (company: string, job: string | null) =>
        job === null ? `Your application to ${company}` : `Your application: ${job}`,
      body: (company: string, job: string | null) => [
        job === null
          ? `thank you for applying to ${company}. We have received your application.`
          : `thank you for applying for “${job}” at ${company}. We have received your application.`,
        'We will read it carefully and get back to you.',
      ],
      link: 'See your application, correct your details or withdraw it:',
      button: 'See your application',
    },
    alreadyApplied: {
      subject: (company: string) => `You have already applied to ${company}`,
      body: (company: string, job: string | null) => [
        job === null
          ? `we received another application to ${company} with your email address.`
          : `we received another application for “${job}” at ${company} with your email address.`,
        'You had applied for this job before. Your earlier application stays as it is, and nothing was added to it.',
        'If it was not you who applied now, you need not do anything.',
      ],
      link: 'See your application, correct your details or withdraw it:',
      button: 'See your application',
    },
    access: {
      subject: (company: string) => `Your applications to ${company}`,
      body: (company: string) => [
        `somebody, probably you, asked for a link to your applications to ${company}.`,
        'If it was not you, you need not do anything: nobody sees your applications without this link.',
      ],
      link: 'Open your applications:',
      button: 'Open your applications',
    },
    emailChange: {
      subject: (company: string) => `Confirm your new email address for ${company}`,
      body: (company: string) => [
        `you asked ${company} to write to this email address from now on.`,
        'If it was not you, do not open the link: nothing changes without it.',
      ],
      link: 'Confirm this email address:',
      button: 'Confirm this email address',
    },
    linkMinutes: (minutes: number) => `The link works once, within ${minutes} minutes.`,
    linkDays: (days: number) =>
      `The link works once, within ${days} days. After that you can ask for a new one on the careers site.`,
    reason: (company: string) => `You receive this email because you applied to ${company}.`,
    unsubscribe: 'Unsubscribe',
  },
}

export type Texts = typeof en
