import type { ComponentChildren } from 'preact'
import { Icon } from '../../ui/icons.tsx'
import { toSentence } from '../error-sentences.ts'
import type { Refusal } from './data.ts'

/** What the role may not see: said once, in the place where it would be. Not an error, so nothing alarms. */
export const Withheld = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="withheld">
    <Icon name="shield" size={16} />
    <div>
      <p>{title}</p>
      {children && <p class="small">{children}</p>}
    </div>
  </div>
)

/** The same for a part that was refused: by the role, or because there is nothing. */
export const RefusedPart = ({ refused, what }: { refused: Refusal; what: string }) =>
  refused.code === 'insufficient_scope' ? (
    <Withheld title={`Your role does not include ${what}.`}>
      An owner or admin of the workspace can show you, or change your role.
    </Withheld>
  ) : (
    <p class="soft">{toSentence(refused)}</p>
  )
