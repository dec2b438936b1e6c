export { type MailFacts, queueMail, sendNextMails, type WriteMail } from './mail-actions.ts'
