import { useEffect } from 'preact/hooks'
import { forgetDrafts, holderOf } from './candidate/drafts.ts'
import { forgetOutgoing, sendWaiting, startOutgoing } from './candidate/outgoing.ts'
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
    return startOutgoing(holder)
  }, [holder])
  useEffect(() => watchSignOut(holder), [holder])
  return (
    <>
      <KeyMap />
      <CommandBar />
    </>
  )
}

/** A mail server that does not respond keeps no one signed in; its message is sent by the service nevertheless. */
const SIGN_OUT_WAITS_MS = 5_000

function forgetAll(): void {
  forgetDrafts()
  forgetLists()
  forgetOutgoing()
}

/** With the sign-out, what waits is sent while that is possible; then every tab forgets messages, drafts and lists. */
function watchSignOut(holder: string): () => void {
  const channel = new BroadcastChannel(`hiring-sign-out ${holder}`)
  channel.onmessage = forgetAll
  const listen = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement
    if (new URL(form.action).pathname !== '/sign-out') return
    event.preventDefault()
    const tooLong = new Promise<void>(resolve => setTimeout(resolve, SIGN_OUT_WAITS_MS))
    void Promise.race([sendWaiting(), tooLong]).finally(() => {
      forgetAll()
      channel.postMessage('signed out')
      form.submit()
    })
  }
  addEventListener('submit', listen)
  return () => {
    removeEventListener('submit', listen)
    channel.close()
  }
}
