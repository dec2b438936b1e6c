const { format: n } = new Intl.NumberFormat('en-GB')

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
    open: (jobs: number) => (jobs === 1 ? '1 open position' : `${n(jobs)} open positions`),
    matching: (jobs: number, all: number) => `${n(jobs)} of ${n(all)} open positions match`,
    found: (jobs: number) => (jobs === 1 ? '1 open position matches' : `${n(jobs)} open positions match`),
    otherDepartment: 'More positions',
    noneOpen: 'No open positions at the moment',
    noneOpenText: 'New positions appear here as soon as they are published. Please come back later.',
    noneMatch: 'Nothing matches your search',
    noneMatchText: 'Try other words or fewer filters.',
    pages: 'Pages of the list',
    previous: 'Previous',
    next: 'Next',
    pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
    showing: (first: number, last: number, all: number) => `${n(first)} to ${n(last)} of ${n(all)}`,
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
    eeoTextRequired:
      'Your answers are stored apart from your application and are never shown to the people who decide about it.',
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
  candidate: {
    ask: {
      title: 'Your applications',
      intro: (company: string) =>
        `See your applications to ${company}, correct your details, withdraw an application, or see and delete your data. You need no password: we email you a link.`,
      email: 'Email address',
      emailHint: 'The address you applied with',
      send: 'Send me a link',
      fault: 'Enter an email address, such as name@example.com.',
      sentTitle: 'Look into your mailbox',
      sent: (company: string) =>
        `If you applied to ${company} with this address, an email with a link is on its way. The link works once, within 30 minutes.`,
      sentAgain:
        'No email after a few minutes? Look into the spam folder, or try another address that you may have used.',
      again: 'Ask for another link',
      ended: 'You were signed out. Ask for a new link to go on.',
      signedOut: 'You are signed out.',
      tooMany: (minutes: number) =>
        minutes === 1
          ? 'Too many requests. Try again in a minute.'
          : `Too many requests. Try again in ${minutes} minutes.`,
    },
    link: {
      openTitle: 'Open your applications',
      openText: 'One more step: it keeps programs that check emails from using your link.',
      openButton: 'Open my applications',
      changeTitle: 'Confirm your new email address',
      changeText: (address: string, company: string) => `${company} will write to ${address} from now on.`,
      changeButton: 'Confirm this address',
      expiredTitle: 'This link no longer works',
      expiredText: 'A link works once and for a limited time. Ask for a new one: it takes a minute.',
      changedTitle: 'Your email address was changed',
      changedText: 'From now on we use this address. You were signed out; ask for a link to go on.',
      failedTitle: 'This email address cannot be used',
      failedText:
        'Nothing was changed. Perhaps you have applied with this address before: then ask for a link with it to see those applications.',
      ask: 'Ask for a link',
    },
    refusedTitle: 'This form cannot be used',
    refusedText: 'It was not sent from this site, or you were signed out. Open the page again and retry.',
    title: 'Your applications',
    signedInAs: (address: string) => `You see this page as ${address}.`,
    signOut: 'Sign out',
    back: 'Back to your applications',
    applications: 'Applications',
    noApplications: 'There are no applications of yours here.',
    findJobs: 'See the open jobs',
    appliedOn: (date: string) => `Sent on ${date}`,
    states: {
      received: 'Received',
      in_review: 'In review',
      decided: 'Decided',
      withdrawn: 'Withdrawn by you',
    },
    stateTexts: {
      received: 'Your application has arrived and waits to be read.',
      in_review: 'Someone is looking at your application.',
      decided: 'A decision was made. The company tells you about it.',
      withdrawn: 'You withdrew this application.',
    },
    withdraw: {
      action: 'Withdraw',
      of: (job: string) => `Withdraw the application for ${job}`,
      title: 'Withdraw your application?',
      text: (job: string) =>
        `The company will no longer consider you for “${job}”. This cannot be undone. Your other applications stay as they are.`,
      reason: 'Reason',
      reasonHint: 'Only the company sees it. At most 2,000 characters.',
      optional: 'optional',
      tooLong: 'Shorten the reason to 2,000 characters.',
      button: 'Withdraw the application',
      keep: 'Keep it',
      done: 'Your application was withdrawn.',
      notPossible: 'This application cannot be withdrawn any more: it was withdrawn before, or a decision was made.',
    },
    documents: 'Documents you sent',
    noDocuments: 'You sent no documents.',
    resume: 'Résumé',
    document: 'Document',
    download: 'Download',
    downloadOf: (file: string) => `Download ${file}`,
    details: {
      title: 'Your contact details',
      change: 'Correct your details',
      firstName: 'First name',
      lastName: 'Last name',
      email: 'Email address',
      phone: 'Phone',
      location: 'Place of residence',
      linkedin: 'LinkedIn profile',
      portfolio: 'Portfolio or website',
      none: 'not given',
      save: 'Save',
      saved: 'Your details were saved.',
      faults: 'There is a problem',
      name: 'Enter at least one name.',
      long: (most: number) => `Use at most ${most} characters.`,
      phoneFault: 'Use digits, spaces and + ( ) . - only.',
      linkedinFault: 'Enter the address of your profile, such as https://www.linkedin.com/in/name.',
      urlFault: 'Enter a whole web address, such as https://example.com.',
      notStored: 'These details cannot be stored. Nothing was changed.',
      emailTitle: 'Change your email address',
      emailText: 'We email a link to the new address. Nothing changes before you open it there.',
      newEmail: 'New email address',
      emailButton: 'Send the link',
      emailSent: 'Look into the mailbox of the new address and open the link there, within an hour.',
      emailSame: 'This is your current address.',
      emailFault: 'Enter an email address, such as name@example.com.',
      emailTooMany: 'You have asked for several changes today. Try again tomorrow.',
    },
    emails: {
      title: 'Emails',
      on: (company: string) => `${company} may email you about your applications.`,
      off: (company: string) => `You get no emails from ${company}, except links that you ask for yourself.`,
      unsubscribe: 'Unsubscribe',
      subscribe: 'Subscribe again',
      unsubscribed: 'You are unsubscribed.',
      subscribed: 'You are subscribed again.',
    },
    data: {
      title: 'Your data',
      text: 'See everything that is stored about you here, or take it with you as a file.',
      see: 'See all data',
      json: 'Download as JSON',
      pageTitle: (company: string) => `What ${company} has stored about you`,
      madeAt: (time: string) => `As of ${time}`,
      print: 'You can print this page or save it as PDF with your browser.',
      person: 'About you',
      contacts: 'Contact details',
      provenance: 'Where it comes from',
      applications: 'Applications',
      answers: 'Answers',
      consents: 'Consents',
      equalOpportunity: 'Equal-opportunity answers',
      prescreen: 'Pre-screen answers',
      score: 'Automatic comparison with the job',
      screening: 'Phone pre-screen',
      files: 'Files',
      profiles: 'What was read in your résumé',
      sourced: 'Profiles from other sources',
      emails: 'Emails to you',
      recipients: 'Who received data over the interface for partners',
      preferences: 'Emails you allow',
      none: 'Nothing.',
      yes: 'yes',
      no: 'no',
      internal: 'What the company wrote about you',
      internalText: (company: string) =>
        `Members of ${company} can write notes and assessments about applications and move them between internal steps. These are also your data. Because they may concern other people too, someone has to look at them before you get a copy, so they are not part of this page: ask the company. It must answer within a month. What exists:`,
      internalCounts: (notes: number, scorecards: number, changes: number) =>
        `${notes} notes, ${scorecards} assessments, ${changes} changes of the internal step`,
      sourcedText:
        'Profiles that the company found under your email address. It may have others that name you in another way: ask the company.',
      times: (times: number) => (times === 1 ? 'once' : `${times} times`),
    },
    erasure: {
      title: 'Delete your data',
      text: 'Have everything that is stored about you here deleted. Open applications end with it.',
      start: 'Delete my data',
      pageTitle: 'Delete all your data?',
      what: (company: string) => [
        `${company} deletes your details, applications, documents, answers and messages. This begins immediately and cannot be undone.`,
        'Your open applications end.',
        'Partners of the company that have copies must delete them within 7 days.',
        'Other companies that use this service do not learn about your applications here. If they hold data about the same address, they are asked to delete it too and decide for themselves.',
        'What stays is a fingerprint of your email address, so that no one stores you again by mistake. While it is there you cannot apply here with this address.',
      ],
      keep: 'If you only want to end an application, withdraw it. If you only want no emails, unsubscribe.',
      confirm: 'Yes, delete all my data',
      confirmFault: 'Tick the box if you want your data to be deleted.',
      button: 'Delete my data permanently',
      cancel: 'Keep my data',
      begunTitle: 'Your data is being deleted',
      begun: (date: string) =>
        `The deletion has begun and usually takes a few minutes. Partners must have deleted their copies by ${date}.`,
      begunAfter: 'You were signed out and get no more emails. You need not do anything.',
      failed: 'The deletion could not be started. Nothing was changed. Try again later, or write to the company.',
    },
  },

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
        `someone, probably you, asked for a link to your applications to ${company}.`,
        'If it was not you, you need not do anything: no one sees your applications without this link.',
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
