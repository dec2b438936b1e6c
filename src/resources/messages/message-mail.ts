import { writeBackLine } from '../../contract/mail-template.ts'
import type { Mail } from '../../kernel/mail/mail.ts'
import { escapeHtml } from '../../pages/html.ts'
import { cleanHtml } from './clean-html.ts'

export interface MessageMail {
  id: string
  workspaceId: string
  to: { name: string | null; address: string }
  replyTo: { name: string | null; address: string }
  subject: string
  text: string
  html: string | undefined
  workspaceName: string
  unsubscribeUrl: string
  /** where the candidate can write back; undefined: the workspace has no careers site, or a key sent the message */
  ownPageUrl?: string | undefined
}

/**
 * The mail: what the partner wrote, and below it, in both renderings, why it came and how to stop it. The HTML above the
 * footer is closed and has no styles, so that nothing in it can hide what follows. The two headers let mail programs
 * show a button of their own (RFC 8058).
 */
export function composeMessage(message: MessageMail): Mail {
  const { id, subject, unsubscribeUrl } = message
  const html = message.html === undefined ? '' : cleanHtml(message.html)
  const writeBack = message.ownPageUrl === undefined ? '' : `${writeBackLine(message.ownPageUrl)}\n`
  const reason = `You receive this email because you applied to ${message.workspaceName}.`
  return {
    id,
    audience: { workspaceId: message.workspaceId },
    to: named(message.to),
    replyTo: named(message.replyTo),
    subject,
    text: `${message.text.replace(/\r\n?/g, '\n').trimEnd()}\n\n----\n${writeBack}${reason}\nUnsubscribe: ${unsubscribeUrl}\n`,
    ...(html !== '' && {
      html: [
        '<!doctype html>',
        `<html><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body>`,
        `<div>${html}</div>`,
        `<hr><p>${escapeHtml(reason)}<br><a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a></p>`,
        '</body></html>',
      ].join('\n'),
    }),
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

const named = ({ name, address }: { name: string | null; address: string }) =>
  name === null ? { address } : { name, address }
