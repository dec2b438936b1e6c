import type { ComponentType, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Skeleton } from './notice.tsx'

/** A page whose code is loaded when it is first opened. */
export function lazyPage<P extends object>(load: () => Promise<ComponentType<P>>): FunctionComponent<P> {
  let loaded: ComponentType<P> | undefined
  return function Lazy(props: P) {
    const [Page, setPage] = useState<ComponentType<P> | undefined>(() => loaded)
    const [error, setError] = useState<Error>()
    useEffect(() => {
      if (loaded) return
      load().then(component => {
        loaded = component
        setPage(() => component)
      }, setError)
    }, [])
    // shown by the boundary around every page, with a button that reloads
    if (error) throw error
    return Page ? <Page {...props} /> : <Skeleton />
  }
}
