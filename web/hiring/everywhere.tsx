import { useEffect } from 'preact/hooks'
import { forgetDrafts, holderOf } from './candidate/drafts.ts'
import { sendWaiting, startOutgoing } from './candidate/outgoing.ts'
import { CommandBar } from './command-bar.tsx'
import { KeyMap } from './key-map.tsx'
import { startLive } from './live.ts'
import { useSession } from './session.ts'

/** What every page has: live changes, the command bar, the map of keys, and texts that are not sent yet. */
export function Everywhere() {
  const session = useSession()
  const holder = holderOf(session)
  useEffect(() => startLive(holder), [holder])
  useEffect(() => {
    // drafts of someone who was here before
    forgetDrafts(holder)
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

/** With the sign-out, drafts are forgotten in every tab, and what waits to be sent is sent while that is possible. */
function watchSignOut(holder: string): () => void {
  const channel = new BroadcastChannel(`hiring-sign-out ${holder}`)
  channel.onmessage = () => forgetDrafts()
  const listen = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement
    if (new URL(form.action).pathname !== '/sign-out') return
    event.preventDefault()
    void sendWaiting().finally(() => {
      forgetDrafts()
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
