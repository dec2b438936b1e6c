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
  },

  // list of jobs
  list: {},

  // page of a job
  job: {},

  // feeds and link previews
  feeds: {},

  // application form
  apply: {
    title: (job: string) => `Apply: ${job}`,
    applyFor: 'Apply for this job',
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
    closedNow: 'This position is closed, or it does not accept applications at the moment.',
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
  mail: {},
}

export type Texts = typeof en
