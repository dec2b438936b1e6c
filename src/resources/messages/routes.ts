import { HandlerResponse, type Route, sendOnce } from '../../kernel/http/route.ts'
import { sendMessage } from './actions.ts'
import { messageBody } from './rules.ts'
import { messageShape } from './shape.ts'

export const messageRoutes: readonly Route[] = [
  sendOnce({
    path: '/messages',
    operationId: 'sendMessage',
    limited: 'record',
    jobRight: 'decide',
    tool: {
      effect: 'overwrites',
      openWorld: true,
      note: 'The email cannot be taken back: show the text to your user before you send it.',
    },
    summary: 'Send an email to an applicant',
    description: 'At most one email is sent per Idempotency-Key.',
    group: 'Messages',
    scope: 'messages:send',
    tier: 'expensive',
    shape: messageShape,
    body: messageBody,
    errors: [
      'recipient_unsubscribed',
      'sender_email_missing',
      'message_quota_exceeded',
      'suppression_check_unavailable',
      'delivery_failed',
    ],
    handler: async ({ services, workspace, caller, body, repeat, now }) => {
      const { message, repeated } = await sendMessage(services, {
        workspace,
        caller,
        to: body.to,
        subject: body.subject,
        text: body.body_text,
        html: body.body_html,
        repeat,
        now,
      })
      return new HandlerResponse(message, 200, repeated ? { headers: { 'Idempotent-Replayed': 'true' } } : {})
    },
  }),
]
