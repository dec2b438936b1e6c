import type { Mail } from '../../src/kernel/mail/mail.ts'
import type { TestService } from './service.ts'

/** Resolves with the next email of a service once it was sent or is in the outbox. */
export const nextMail = ({ services }: Pick<TestService, 'services'>): Promise<Mail> => {
  const { mailer } = services
  return new Promise<Mail>((resolve, reject) => {
    services.mailer = {
      check: () => mailer.check(),
      send: mail => mailer.send(mail).then(() => resolve(mail), reject),
    }
  }).finally(() => {
    services.mailer = mailer
  })
}
