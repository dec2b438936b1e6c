import { useEffect } from 'preact/hooks'
import { forgetDrafts, holderOf } from './candidate/drafts.ts'
import { forgetLists, keepListsFor } from './candidate-lists.ts'
import { CommandBar } from './command-bar.tsx'
import { KeyMap } from './key-map.tsx'
import { startLive } from './live.ts'
import { useSession } from './session.ts'

/** What every page has: live changes, the command bar, the map of keys, and texts that are not sent yet. */
export function Everywhere() {
  const session = useSession()
  const holder = holderOf(session)
  keepListsFor(holder)
  useEffect(() => startLive(holder, session), [holder])
  useEffect(() => {
    // removes what someone who was here before left
    forgetDrafts(holder)
    forgetLists(holder)
  }, [holder])
  useEffect(() => watchSignOut(holder), [holder])
  return (
    <>
      <KeyMap />
      <CommandBar />
    </>
  )
}

function forgetAll(): void {
  forgetDrafts()
  forgetLists()
}

/** With the sign-out every tab forgets drafts and lists. */
function watchSignOut(holder: string): () => void {
  const channel = new BroadcastChannel(`hiring-sign-out ${holder}`)
  channel.onmessage = forgetAll
  const listen = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement
    if (new URL(form.action).pathname !== '/sign-out') return
    forgetAll()
    channel.postMessage('signed out')
  }
  addEventListener('submit', listen)
  return () => {
    removeEventListener('submit', listen)
    channel.close()
  }
}
