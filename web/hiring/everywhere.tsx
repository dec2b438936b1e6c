import { useEffect } from 'preact/hooks'
import { CommandBar } from './command-bar.tsx'
import { KeyMap } from './key-map.tsx'
import { startLive } from './live.ts'
import { useSession } from './session.ts'

/** What every page has: live changes, the command bar and the map of keys. */
export function Everywhere() {
  const { user, workspace } = useSession()
  useEffect(() => startLive(`${workspace.id} ${user.id}`), [workspace.id, user.id])
  return (
    <>
      <KeyMap />
      <CommandBar />
    </>
  )
}
