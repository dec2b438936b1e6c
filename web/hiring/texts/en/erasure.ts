import { recordWord } from '../../../../src/contract/record-words.ts'
import { count } from '../../../ui/numbers.ts'

export const erasure = {
  erase: 'Erase…',
  ask: 'Ask an owner to erase…',
  stop: 'Stop processing…',
  send: 'Send their data…',
  download: 'Download all data…',

  eraseOne: (name: string) => `Erase the data of ${name}`,
  eraseNow: 'Erase',
  found: (records: string) => `In this workspace: ${records}.`,
  record: (object: string, n: number) => `${count.format(n)} ${recordWord(object, n)}`,
  everythingGoes: 'Records, files, notes and messages are deleted. After ten seconds this cannot be undone.',
  asksOthers: 'Owners of other workspaces with data about the person are asked to decide for themselves.',
  canReturn: 'No email address or LinkedIn URL is known, so this person can be stored again later.',
  reason: 'Reason',
  reasons: { erasure_request: 'Requested by the person', legal_request: 'Legal request' },
  typeName: 'Type the last name to confirm',
  nameHint: (word: string) => `Last name: ${word}`,
  wrongName: (word: string) => `This is not the last name. Type ${word}.`,
  eraseSoon: (name: string) => `${name} is erased in 10 s.`,

  stopOne: (name: string) => `Stop processing the data of ${name}?`,
  stopNow: 'Stop processing',
  stopMeans:
    'The records stay, but no one can read them, decide about them, search for them or write to the person. You cannot start processing again.',
  stopSoon: (name: string) => `Processing of ${name} stops in 10 s.`,

  sendOne: (name: string) => `Send ${name} their data`,
  sendNow: 'Send link',
  sendMeans: 'The person gets an email with a link to the page with their data.',
  cannotSend: {
    stopped: 'The processing of this person’s data was stopped, so they cannot be emailed.',
    no_address: 'No email address of this person is known.',
    no_site: 'The careers site is off, so there is no page for the person to open.',
  },
  linkLeaves: 'The link leaves in 10 s.',
  linkNotSent: 'The link was not sent.',

  downloadOne: (name: string) => `Download all data of ${name}`,
  downloadNow: 'Download ZIP',
  downloadMeans:
    'A ZIP with JSON and files. What colleagues wrote is in a folder of its own: check it before you pass it on.',
  downloaded: 'The data was downloaded.',

  askOne: (name: string) => `Ask an owner to erase the data of ${name}`,
  askNow: 'Ask',
  askMeans: (owners: string) => `Becomes a note with a task for ${owners}.`,
  askText: 'Text',
  askDefault: 'Please erase the data of this person.',
  asked: 'The owners were asked.',
  noOwner: 'No owner of this workspace can read this candidate. Ask the operator.',

  erasesSoon: 'Being erased in a few seconds.',
  stopsSoon: 'Processing stops in a few seconds.',
  running: (day: string) => `Being erased. Partners must delete by ${day}.`,
  unchanged: (name: string) => `${name} is as before.`,
  tooLate: 'It has begun or was undone before.',
  erased: 'The data of this person was erased',
  erasedMeans: 'Notes, messages and files were deleted with it.',
}
