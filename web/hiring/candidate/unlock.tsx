import { useState } from 'preact/hooks'
import { API_LIMITS } from '../../../src/contract/limits.ts'
import { isManager } from '../../../src/contract/roles.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { toast } from '../../ui/toast.tsx'
import { send, useData } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useMay, useSession } from '../session.ts'
import { type Candidate, candidateName } from './data.ts'

interface UnlockProps {
  candidate: Candidate
  state: 'locked' | 'view_only'
  reload: () => void
}

/** A résumé that is closed by its age, and what opens it. */
export function Unlock({ candidate, state, reload }: UnlockProps) {
  // limited people do not spend what belongs to the whole workspace
  const { limited } = useSession()
  const mayUnlock = useMay()('resume:read') && !limited
  const [asking, setAsking] = useState(false)
  const price = API_LIMITS.resumeUnlockCredits
  useShortcuts(mayUnlock ? [{ keys: KEYS.unlock, title: 'Unlock the résumé', run: () => setAsking(true) }] : [])
  return (
    <div class="locked">
      <Icon name="key" size={22} />
      <p>
        <b>{state === 'locked' ? 'This résumé is locked' : 'The file of this résumé is closed'}</b>
      </p>
      <p class="soft">
        {state === 'locked'
          ? `Résumés can be read for ${API_LIMITS.resumeViewDays} days after the application.`
          : `Files can be opened for ${API_LIMITS.resumeOpenDays} days after the application; the profile can still be read.`}{' '}
        Unlocking it costs {price} credits and lasts.
      </p>
      {mayUnlock && (
        <Button small={state === 'view_only'} onClick={() => setAsking(true)} title={`Key: ${KEYS.unlock}`}>
          Unlock for {price} credits
        </Button>
      )}
      {asking && (
        <Confirm
          title="Unlock this résumé?"
          action={`Pay ${price} credits`}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await send('/applications/{id}/unlock-resume', { id: candidate.application.id })
            setAsking(false)
            toast('Résumé unlocked')
            reload()
          }}
        >
          <p>
            {price} credits of the workspace are spent on the résumé of {candidateName(candidate)}. It stays open from
            then on, for everyone of the workspace who may read résumés. This cannot be undone.
          </p>
          <Balance />
        </Confirm>
      )}
    </div>
  )
}

/** Only owners and admins are shown how much there is. */
function Balance() {
  const { user } = useSession()
  return isManager(user) ? <ReadBalance /> : null
}

function ReadBalance() {
  const { data } = useData('/credits')
  return data ? <p class="soft">The workspace has {data.balance} credits.</p> : null
}
