import { enInterviews } from './en-interviews.ts'

let numbers: Intl.NumberFormat | undefined

/** Made with the first number: the data of a language takes 20 ms of a start. */
const n = (value: number): string => {
  numbers ??= new Intl.NumberFormat('en-GB')
  return numbers.format(value)
}

/** What an email about a test or check tells. */
interface MailedCheck {
  company: string
  /** the title of the job; null: it is gone */
  job: string | null
  name: string
  vendor: string
  minutes: number | null
  due: string | null
  /** the privacy notice of the vendor */
  privacy: string
  /** whom to ask; null: the company, without an address */
  contact: string | null
}

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
    testWorkspace: 'Test site: these jobs are not real, and no email is sent.',
    navigation: 'Pages of this site',
    allJobs: 'All jobs',
    yourApplications: 'Your applications',
    theme: 'Switch between light and dark',
    privacy: 'Privacy',
    imprint: 'Imprint',
    website: (company: string) => `Website of ${company}`,
    contact: (address: string) => `Contact: ${address}`,
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
    searchHint: 'Title, place, skill or keyword',
    filters: { department: 'Department', location: 'Location', workplace: 'Workplace', type: 'Employment type' },
    all: {
      department: 'All departments',
      location: 'All locations',
      workplace: 'Any',
      type: 'Any',
    },
    wholeCountry: (country: string) => `All of ${country}`,
    otherPlaces: 'Other locations',
    noPlace: 'No fixed location',
    submit: 'Search',
    clear: 'Clear search and filters',
    open: (jobs: number) => (jobs === 1 ? '1 open position' : `${n(jobs)} open positions`),
    seeOpen: (jobs: number) => (jobs === 1 ? 'See the open position' : `See ${n(jobs)} open positions`),
    matching: (jobs: number, all: number) => `${n(jobs)} of ${n(all)} open positions match`,
    found: (jobs: number) => (jobs === 1 ? '1 open position matches' : `${n(jobs)} open positions match`),
    near: (jobs: number) =>
      jobs === 1
        ? 'No position has every word of your search. 1 is similar'
        : `No position has every word of your search. ${n(jobs)} are similar`,
    appliesAt: (host: string) => `Apply at ${host}`,
    noApplications: 'No applications at the moment',
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
  feeds: {
    title: (company: string) => `Jobs at ${company}`,
    siteDescription: (company: string) => `Open positions at ${company}. Find a job and apply online.`,
    description: (title: string) => `${title}. Read more and apply online.`,
    // the list on a page of another site has these texts
    embed: {
      jobs: 'Open positions',
      all: 'All open positions',
      none: 'There are no open positions at the moment.',
      noneFound: 'No position fits these filters.',
      search: 'Search',
      department: 'Department',
      location: 'Location',
      workplace: 'Workplace',
      type: 'Employment type',
      any: 'All',
    },
  },

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
    fileHint: 'PDF, Word, RTF or plain text, up to 5 MB, without a password.',
    answerFileHint: 'PDF, Word, RTF, plain text, PNG or JPEG, up to 5 MB, without a password.',
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
    realMailbox: 'this is a test site: use an address that no one reads, such as name@example.com',
    badEmail: 'Enter your email address in the form name@example.com',
    enterPhone: 'Enter your phone number',
    badEmailOf: (label: string) => `“${label}” must be an email address in the form name@example.com`,
    badPhoneOf: (label: string) => `“${label}” must be a phone number with digits, spaces and + ( ) . - only`,
    badPhone: 'Enter your phone number with digits, spaces and + ( ) . - only',
    enterLinkedin: 'Enter the address of your LinkedIn profile',
    badLinkedin: 'Enter the address of a LinkedIn profile, such as https://www.linkedin.com/in/your-name',
    enterResume: 'Add your résumé: choose a file or paste its text',
    enterFile: (label: string) => `“${label}” needs a file`,
    tickBox: (label: string) => `Tick the box to continue: “${label}”`,
    faultOf: (label: string, fault: string) => `“${label}”: ${fault}`,
    consentChanged: (label: string) =>
      `“${label}”: the text has changed. Please read it again, and tick the box if you agree.`,
    badNumber: (label: string) => `“${label}” must be a number, such as 12, 3.5 or 60,000`,
    ambiguousNumber: (label: string, typed: string) =>
      `“${label}”: “${typed}” can be read in two ways. Write thousands without a point, such as 60000, and decimals as 1.5`,
    badDate: (label: string) => `“${label}” must be a date, such as 2026-11-30`,
    badUrl: (label: string) => `“${label}” must be a web address that begins with https://`,
    badOption: (label: string) => `“${label}”: choose from the answers that are offered`,
    badValue: (label: string) => `“${label}” has an answer that cannot be read`,
    tooLong: (label: string, most: number) => `“${label}” must have at most ${most.toLocaleString('en-GB')} characters`,
    fileTooLarge: 'The file is larger than 5 MB. Choose a smaller one.',
    fileEmpty: 'The file is empty. Choose another one.',
    fileType: 'Files of this type are not accepted here. Choose a PDF, for example.',
    fileWrong: 'The content of this file is not of the type that its name says. Choose another file.',
    fileLocked: 'This file needs a password. Save it without one, or choose another file.',
    fileGone: 'The file was not sent in time and is no longer stored. Choose it again.',
    fileFailed: 'The file did not arrive. Choose it again.',
    fileAgain: 'The file was not stored, because the form was not accepted yet. Choose it again.',

    // what can happen to a form
    expired: 'This page was open for a long time. Nothing is lost: check your entries and send them again.',
    tooFast: 'That was very quick. Check your entries and send them again in a few seconds.',
    alreadySent: 'This form was sent before. If you want to send it again with these entries, press the button below.',
    unavailable: 'Your application could not be stored at the moment. Nothing is lost: try again in a minute.',
    formTooLarge:
      'The form was too large to be read completely, and was not sent. Check what is below: some of it may be missing. Then send it again.',
    wait: (time: string) =>
      `Too many applications from your network. Your entries are kept: you can send them again in ${time}.`,
    seconds: (n: number) => (n === 1 ? 'one second' : `${n} seconds`),
    minutes: (n: number) => (n === 1 ? 'one minute' : `${n} minutes`),
    refusedTitle: 'This form cannot be used',
    refused: 'The form was not sent from a page of this site. Open the job again and apply there.',
    closedTitle: 'This job no longer accepts applications',
    closedText: 'The position was closed while you were writing. Your application was not sent.',
    elsewhereTitle: 'This job now takes applications on another website',
    elsewhereText: 'The company changed this while you were writing. Your application was not sent.',
    closedKept: 'What you wrote, for you to copy:',
    otherJobs: 'See the open jobs',
    doneTitle: 'Thank you',
    done: (job: string) => `Your application for “${job}” was sent.`,
    doneMail: 'If the address that you gave can be used here, a confirmation arrives there within minutes.',
    doneAddress: (address: string) => `You gave this address: ${address}`,
    doneNoMail: (contact: string | null) =>
      contact === null
        ? 'No email? Look in your spam folder, and check the address for a typing mistake.'
        : `No email? Look in your spam folder, check the address for a typing mistake, or write to ${contact}.`,
    doneAgain: 'If you had applied for this job before, you choose there which of your forms is used.',
    doneNext:
      'With the link in that email, which you can ask for at any time under “Your applications”, you can see your application, correct your details or withdraw.',

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
      unreadable:
        'We could not read this file. Open it once to check that it works and needs no password. You can send it as it is.',
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
      sentTitle: 'Check your inbox',
      sent: (company: string) =>
        `If you applied to ${company} with this address, an email with a link is on its way. The link works once, within 30 minutes.`,
      sentAgain: 'No email after a few minutes? Check your spam folder, or try another address that you may have used.',
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
    prove: {
      title: 'One more step',
      text: (address: string) =>
        `To change your email address or to delete your data you need a fresh link: it keeps others who find an older email of ours from doing it. We send the link to ${address}. It brings you back to this page.`,
      sent: (address: string) =>
        `We have sent an email with a link to ${address}. The link works once, within 30 minutes, and brings you back to the page you came from.`,
      button: 'Email me a link',
    },
    tooMany: {
      title: 'Too many changes',
      text: (minutes: number) =>
        minutes === 1
          ? 'You have changed or downloaded your data very often. Nothing was done now. Try again in a minute.'
          : `You have changed or downloaded your data very often. Nothing was done now. Try again in ${minutes} minutes.`,
    },
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
      pending: 'Forms for this job that wait for your choice are deleted with it. You can apply again afterwards.',
      notPossible: 'This application cannot be withdrawn any more: it was withdrawn before, or a decision was made.',
    },
    pending: {
      title: 'Choose which form is used',
      text: 'These forms were sent with your email address. Nothing below is used before you choose. Discard those that are not from you.',
      detailsOnly:
        'Only the contact details wait: everything else of this form is in your application, or can no longer be changed.',
      replaces: 'It replaces your contact details and what your application has so far: answers and documents.',
      use: 'Use this form',
      useOf: (name: string, job: string) => `Use the form of ${name} for ${job}`,
      discard: 'Discard',
      discardOf: (name: string, job: string) => `Discard the form of ${name} for ${job}`,
      name: 'Name',
      screeningPhone: 'Number for the pre-screen',
      answer: 'Answer',
      used: 'This form is used now.',
      discarded: 'The form was discarded.',
    },
    newResume: {
      replace: {
        action: 'Replace résumé',
        of: (job: string) => `Replace résumé: ${job}`,
        title: 'Replace your résumé',
      },
      add: {
        action: 'Add résumé',
        of: (job: string) => `Add résumé: ${job}`,
        title: 'Add a résumé',
      },
      text: (job: string) =>
        `For “${job}”. The company sees this file from now on, and an earlier one is deleted. Your other applications stay as they are.`,
      button: 'Send this résumé',
      cancel: 'Cancel',
      missing: 'Choose the file of your résumé.',
      unreadable:
        'We could not read the file of your résumé. Open it once to check that it works, has text and needs no password, and replace it if it does not.',
      done: 'Your résumé was sent.',
      notPossible: (job: string) =>
        `The résumé for “${job}” cannot be replaced any more: a decision was made, or the application was withdrawn.`,
    },
    checks: {
      title: (job: string) => `Tests and checks for ${job}`,
      // a check whose name cannot be shown
      unnamed: 'Test or check',
      by: (vendor: string) => `by ${vendor}`,
      states: {
        to_do: (due: string | null) => (due === null ? 'To do' : `To do until ${due}`),
        in_progress: 'In progress',
        done: 'Done',
        not_needed: 'No longer needed',
      },
      start: 'Start',
      startOf: (name: string) => `Start: ${name}`,
      continue: 'Continue',
      continueOf: (name: string) => `Continue: ${name}`,
      // the page that an invitation opens
      forJob: (company: string, job: string) => `${company} asks you to do this for your application as “${job}”.`,
      minutes: (minutes: number) => (minutes === 1 ? 'It takes about a minute.' : `It takes about ${minutes} minutes.`),
      until: (due: string) => `Please be done by ${due}.`,
      leaves: (vendor: string, host: string) =>
        `The button opens ${host}, a site of ${vendor}. What you enter there goes to ${vendor}, which reports the result to the company.`,
      decides: 'A person at the company decides about your application, never the result alone.',
      privacy: (vendor: string) => `Privacy notice of ${vendor}`,
      go: (host: string) => `Go to ${host}`,
      help: (company: string) =>
        `Do you need more time, or other conditions because of a disability or for another reason? Write to ${company}:`,
      helpNoContact: (company: string) =>
        `Do you need more time, or other conditions because of a disability or for another reason? Contact ${company} the way you usually do.`,
      vendorInvites: (vendor: string) => `${vendor} sends you an email with the link.`,
      ended: {
        done: {
          title: 'You are done with this',
          text: 'There is nothing left to do here. The company gets the result.',
        },
        not_needed: {
          title: 'This is no longer needed',
          text: 'The company no longer needs you to do this. You can delete the email with the link.',
        },
        expired: {
          title: 'The time for this has ended',
          text: 'The link worked until the date in the email. If you still want to do it, ask the company for another date.',
        },
        preparing: {
          title: 'This is not ready yet',
          text: 'The site for this is still being prepared. Try again later; you do not need another link.',
        },
      },
      badTitle: 'This link does not work',
      badText:
        'It is not complete, or what it led to was deleted. Open the link in the email again, or ask for a link to your applications.',
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
      long: (label: string, most: number) => `“${label}” must have at most ${most} characters.`,
      phoneFault: 'Enter the phone number with digits, spaces and + ( ) . - only.',
      linkedinFault: 'Enter the address of your LinkedIn profile, such as https://www.linkedin.com/in/name.',
      urlFault: 'Enter the whole address of your portfolio or website, such as https://example.com.',
      emailTitle: 'Change your email address',
      emailText: 'We email a link to the new address. Nothing changes before you open it there.',
      newEmail: 'New email address',
      emailButton: 'Send the link',
      emailSent: 'Check the inbox of the new address and open the link there within an hour.',
      emailSame: 'This is your current address.',
      emailFault: 'Enter an email address, such as name@example.com.',
      emailTooMany: 'You have asked for several changes today. Try again tomorrow.',
    },
    consents: {
      title: 'Consents',
      text: 'You can withdraw a consent at any time. What was done with your data until then stays lawful.',
      given: (job: string, day: string) => `Given on ${day} with your application for “${job}”.`,
      action: 'Withdraw consent',
      of: (label: string) => `Withdraw consent: ${label}`,
      withdrawn: (day: string) => `You withdrew this consent on ${day}.`,
      done: 'Your consent is withdrawn. The company is notified.',
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
      madeAt: 'As of',
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
      checks: 'Tests and checks',
      pending: 'Forms that wait for your choice',
      files: 'Files',
      profiles: 'What was read in your résumé',
      sourced: 'Profiles from other sources',
      interviews: 'Interviews',
      emails: 'Emails to you',
      recipients: 'Who received data over the interface for partners',
      preferences: 'Emails you allow',
      none: 'Nothing.',
      yes: 'yes',
      no: 'no',
      internal: 'What the company wrote about you',
      internalText: (company: string) =>
        `Members of ${company} can write notes and assessments about applications, plan interviews about them, move them between internal steps, and receive results of tests and checks. These are also your data. Because they may concern other people too, someone has to look at them before you get a copy, so they are not part of this page: ask the company. It must answer within a month. What exists:`,
      internalCounts: (
        notes: number,
        scorecards: number,
        tags: number,
        changes: number,
        results: number,
        interviews: number,
      ) =>
        `${notes === 1 ? '1 note' : `${notes} notes`}, ${scorecards === 1 ? '1 assessment' : `${scorecards} assessments`}, ${tags === 1 ? '1 tag' : `${tags} tags`}, ${changes === 1 ? '1 change' : `${changes} changes`} of the internal step, ${results === 1 ? '1 result' : `${results} results`} of tests and checks, ${interviews === 1 ? '1 interview' : `${interviews} interviews`} without an invitation`,
      sourcedText:
        'Profiles that the company found under your email address. It may have others that name you in another way: ask the company.',
      times: (times: number) => (times === 1 ? 'once' : `${times} times`),
      // names of stored fields, and values with a meaning of their own
      fields: {
        first_name: 'First name',
        last_name: 'Last name',
        full_name: 'Name',
        email: 'Email address',
        phone: 'Phone',
        location: 'Place',
        linkedin_url: 'LinkedIn profile',
        github_url: 'GitHub',
        portfolio_url: 'Portfolio',
        kind: 'Kind',
        field: 'Detail',
        value: 'Value',
        status: 'Status',
        stored_at: 'Stored',
        verified_at: 'Verified',
        origin: 'Origin',
        acquisition: 'Collected through',
        provider: 'Provider',
        consent_basis: 'Basis',
        first_seen_at: 'First seen',
        last_seen_at: 'Last seen',
        created_at: 'Stored',
        updated_at: 'Changed',
        application_count: 'Applications',
        unproved: 'Waits for your confirmation',
        job: 'Job',
        submitted_at: 'Sent',
        details: 'Details',
        answers: 'Answers',
        consents: 'Consents',
        equal_opportunity: 'Equal-opportunity answers',
        prescreen: 'Pre-screen answers',
        external_refs: 'In other systems',
        unsubscribed_at: 'Unsubscribed',
        address: 'Address',
        source: 'Source',
        at: 'Time',
        applied_at: 'Sent',
        source_system: 'System',
        source_external_id: 'Number there',
        voice_screening_opted_out: 'Phone pre-screen refused',
        screening_phone: 'Number for the pre-screen',
        withdrawal_reason: 'Your reason to withdraw',
        label: 'Question',
        question: 'Question',
        answer: 'Answer',
        accepted: 'Accepted',
        withdrawn_at: 'Withdrawn',
        version: 'Version of the text',
        help_text: 'Further text',
        language: 'Language',
        match_pct: 'Match in percent',
        gaps: 'Missing',
        rationale: 'Why',
        model_version: 'Rules',
        scored_at: 'Computed',
        filename: 'File',
        size: 'Size',
        name: 'Who',
        times: 'How often',
        first_at: 'First time',
        last_at: 'Last time',
        profile: 'Profile',
        text: 'Text',
        subject: 'Subject',
        parsed_at: 'Read',
        headline: 'Headline',
        summary: 'Summary',
        skills: 'Skills',
        languages: 'Languages',
        experience: 'Experience',
        education: 'Education',
        vendor: 'Carried out by',
        order_status: 'State',
        requested_at: 'Ordered',
        due_at: 'Due',
        completed_at: 'Completed',
        offered_times: 'Offered times',
        starts_at: 'Begins',
        ends_at: 'Ends',
        time_zone: 'Time zone',
        place: 'Place',
        meeting_url: 'Link to the call',
        interview_status: 'State',
        candidate_wish: 'What you asked for',
        candidate_words: 'What you wrote',
        call_status: 'Call',
        completion_state: 'Completed',
        duration_sec: 'Seconds',
        consent_state: 'Consent',
        started_at: 'Began',
        ended_at: 'Ended',
        contact_values: 'Contact details',
        job_title: 'Job title',
        company_name: 'Company',
        company_industry: 'Industry',
        company_website: 'Website of the company',
        company_linkedin_url: 'LinkedIn page of the company',
        department: 'Department',
        management_level: 'Management level',
        location_full: 'Place',
        location_country: 'Country',
        photo_url: 'Photo',
        total_experience_months: 'Experience in months',
        connections_count: 'Connections on LinkedIn',
        follower_count: 'Followers on LinkedIn',
        match_score: 'Match with a search',
        match_tier: 'Match in words',
        has_contact_info: 'Contact details known',
        has_linkedin_capture: 'Copied from LinkedIn',
        current_title: 'Current job title',
        current_company: 'Current company',
        seniority: 'Seniority',
        total_years_experience: 'Years of experience',
        city: 'City',
        country: 'Country',
        remote_ok: 'Open to remote work',
        education_level: 'Highest degree',
        extraction_confidence: 'How certain the reading is, from 0 to 1',
        work_authorization: 'Work permit',
        visa_required: 'Needs a visa',
        structured: 'Details',
        system: 'System',
        type: 'Kind of record',
        link_origin: 'How it was connected',
        last_synced_at: 'Last compared',
      },
      values: {
        email: 'email address',
        phone: 'phone',
        submitted: 'given by you',
        work: 'work',
        personal: 'personal',
        mobile: 'mobile',
        other: 'other',
        verified: 'verified',
        unverified: 'not verified',
        invalid: 'invalid',
        applicant: 'application',
        ats_import: 'another system of the company',
        inbound_application: 'your application',
        ats_sync: 'another system of the company',
        candidate_submitted: 'given by you',
        customer_provided: 'given by the company',
        public_board: 'careers site',
        sent: 'sent',
        queued: 'waiting',
        reply: 'reply',
        received: 'received',
        failed: 'not sent',
        message: 'message of the company',
        confirmation: 'confirmation',
        already_applied: 'notice of an earlier application',
        access: 'link to this page',
        data_copy: 'link to your data',
        email_change: 'change of the address',
        email_changed: 'notice of a changed address',
        check_invitation: 'invitation to a test or check',
        check_reminder: 'reminder of a test or check',
        check_canceled: 'cancellation of a test or check',
        interview_times: 'choice of times for an interview',
        interview_invitation: 'invitation to an interview',
        interview_canceled: 'cancellation of an interview',
        link: 'link in an email',
        one_click: 'mail program',
        product: 'this page',
        opt_out: 'the company',
        // only one field has these values
        'call_status.scheduled': 'planned',
        'call_status.in_progress': 'in progress',
        'call_status.completed': 'completed',
        'call_status.no_answer': 'not reached',
        'call_status.failed': 'failed',
        'order_status.requested': 'ordered',
        'order_status.invited': 'to do',
        'order_status.in_progress': 'in progress',
        'order_status.completed': 'done',
        'order_status.declined': 'not carried out',
        'order_status.failed': 'not carried out',
        'order_status.expired': 'the time ended',
        'order_status.canceled': 'no longer needed',
        'kind.onsite': 'on site',
        'kind.video': 'video call',
        'kind.phone': 'phone call',
        'interview_status.proposed': 'waits for your choice of a time',
        'interview_status.scheduled': 'planned',
        'interview_status.held': 'held',
        'interview_status.no_show': 'did not take place',
        'interview_status.canceled': 'canceled',
        'interview_status.expired': 'the time to choose ended',
        'candidate_wish.none_fits': 'other times',
        'candidate_wish.move': 'another time',
        'candidate_wish.canceled': 'cancellation',
        'completion_state.none': 'not at all',
        'completion_state.partial': 'partly',
        'completion_state.complete': 'completely',
        'consent_state.pending': 'not yet given',
        'consent_state.granted': 'given',
        'consent_state.declined': 'refused',
        // further origins, data and degrees
        sourced: 'search of the company',
        shared_pool: 'shared pool of profiles',
        xray: 'web search',
        import: 'file of the company',
        github: 'GitHub',
        xray_search: 'web search',
        csv_import: 'file of the company',
        file_import: 'file of the company',
        github_search: 'search on GitHub',
        public_profile: 'public profile',
        legitimate_interest_sourcing: 'legitimate interest in finding candidates',
        resume_text: 'text of your résumé',
        resume_file: 'file of your résumé',
        strong: 'very high',
        good: 'high',
        fair: 'medium',
        weak: 'low',
        doctorate: 'doctorate',
        master: 'master’s degree',
        bachelor: 'bachelor’s degree',
        associate: 'associate degree',
        secondary: 'secondary school',
      },
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

  // where the unsubscribe link of an email leads
  unsubscribe: {
    title: 'Unsubscribe',
    question: 'Unsubscribe?',
    text: (company: string) =>
      `You will not get any more email from ${company} about your applications. The applications themselves stay as they are.`,
    button: 'Unsubscribe',
    doneTitle: 'You are unsubscribed',
    done: (company: string) => `You will not get any more email from ${company} about your applications.`,
    onItsWay: 'A message that was on its way may still arrive.',
    again: 'Subscribe again',
    subscribedTitle: 'You are subscribed again',
    subscribed: (company: string) => `${company} may email you about your applications.`,
    thisCompany: 'this company',
    incompleteTitle: 'This link is not complete',
    incompleteText:
      'Part of the unsubscribe link got lost on its way here. Copy the whole link from the email, use the unsubscribe button of your mail program, or reply to the email and ask to be unsubscribed.',
    retryTitle: 'Please try again',
    retryText: 'We could not save your request. Nothing was changed. Please try again in a minute.',
  },

  // emails to candidates
  interviews: enInterviews,

  mail: {
    // previews of emails name this job
    sampleJob: 'Engineer',
    greeting: (name: string | null) => (name === null ? 'Hello,' : `Hello ${name},`),
    confirmation: {
      subject: (company: string, job: string | null) =>
        job === null ? `Your application to ${company}` : `Your application: ${job}`,
      body: (company: string, job: string | null) => [
        job === null
          ? `Thank you for applying to ${company}. We have received your application.`
          : `Thank you for applying for “${job}” at ${company}. We have received your application.`,
        'We will read it carefully and get back to you.',
      ],
      link: 'View your application, update your details or withdraw:',
      button: 'View your application',
    },
    alreadyApplied: {
      subject: (company: string) => `Another application to ${company} with your address`,
      body: (company: string, job: string | null) => [
        job === null
          ? `We received another application to ${company} with your email address.`
          : `We received another application for “${job}” at ${company} with your email address.`,
        'There was already one for this job, which is unchanged. Open the link to see what was sent and, while the application is open, to choose which one is used.',
        'If the new application was not from you, discard it there or ignore this email.',
      ],
      link: 'View your application, update your details or withdraw:',
      button: 'View your application',
    },
    // tests and checks that a vendor carries out
    checks: {
      check_invitation: {
        subject: (company: string, name: string) => `${company} asks you to take a next step: ${name}`,
        body: ({ company, job, name, vendor, minutes, due, privacy, contact }: MailedCheck) => [
          `${company} asks you to take “${name}” as a part of your application${job === null ? '' : ` for “${job}”`}. ${vendor} carries it out for ${company}.`,
          [
            minutes === null ? '' : `It takes about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
            due === null ? '' : `Please complete it by ${due}.`,
          ]
            .filter(Boolean)
            .join(' '),
          contact === null
            ? `Do you need another date, or an adjustment so that you can take part? Ask ${company}.`
            : `Do you need another date, or an adjustment so that you can take part? Write to ${contact}.`,
          `How ${vendor} handles your data: ${privacy}`,
        ],
        link: 'Read more and begin:',
        button: 'Read more and begin',
      },
      check_reminder: {
        subject: (company: string, name: string) => `Reminder from ${company}: ${name}`,
        body: ({ company, name, vendor, due, contact }: MailedCheck) => [
          due === null
            ? `${company} still waits for “${name}”, which ${vendor} carries out.`
            : `${company} still waits for “${name}”, which ${vendor} carries out. Please complete it by ${due}.`,
          contact === null
            ? `Do you need another date, or an adjustment so that you can take part? Ask ${company}.`
            : `Do you need another date, or an adjustment so that you can take part? Write to ${contact}.`,
        ],
        link: 'Read more and begin:',
        button: 'Read more and begin',
      },
      check_canceled: {
        subject: (_company: string, name: string) => `No longer needed: ${name}`,
        body: ({ company, name }: MailedCheck) => [
          `${company} no longer needs “${name}”. There is nothing you need to do.`,
        ],
        link: 'View what was canceled:',
        button: 'View what was canceled',
      },
    },
    access: {
      subject: (company: string) => `Your applications to ${company}`,
      body: (company: string) => [
        `Here is the link to your applications to ${company} that was requested with your email address.`,
        'If you did not request it, you can ignore this email: no one can see your applications without the link.',
      ],
      link: 'View your applications:',
      button: 'View your applications',
    },
    dataCopy: {
      subject: (company: string) => `Your data at ${company}`,
      body: (company: string) => [
        `${company} sends you the link to everything that is stored about you there, to read and to download.`,
        'If you did not ask for it, you can ignore this email: no one can see your data without the link.',
      ],
      link: 'View and download your data:',
      button: 'View your data',
    },
    emailChange: {
      subject: (company: string) => `Confirm your new email address for ${company}`,
      body: (company: string) => [
        `You asked ${company} to use this email address from now on.`,
        'If you did not, do not open the link: nothing changes without it.',
      ],
      link: 'Confirm this email address:',
      button: 'Confirm this email address',
    },
    // to the previous address, after the change
    emailChanged: {
      subject: (company: string) => `Your email address at ${company} was changed`,
      body: (company: string, time: string, contact: string | null) => [
        `On ${time}, the email address for your applications to ${company} was changed. From now on, ${company} writes to the new address, and this one no longer opens your applications.`,
        'If you made the change, there is nothing you need to do.',
        contact === null
          ? `If you did not, contact ${company} as soon as you can and explain that someone else changed the address. The company can undo the change.`
          : `If you did not, reply to this email or write to ${contact} as soon as you can, and explain that someone else changed the address. The company can undo the change.`,
      ],
      link: 'Careers site of the company:',
      button: 'Go to the careers site',
    },
    linkMinutes: (minutes: number) => `The link works once and expires after ${minutes} minutes.`,
    linkDays: (days: number) =>
      `The link works once and expires after ${days} days. After that, you can request a new one on the careers site.`,
    reason: (company: string) => `You are receiving this email because you applied to ${company}.`,
    contact: (address: string) => `Questions? Reply to this email or write to ${address}.`,
    unsubscribe: 'Unsubscribe',
  },
}

export type Texts = typeof en
