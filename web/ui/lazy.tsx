import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Skeleton } from './notice.tsx'
import type { PageProps } from './page-props.ts'

/** A page whose code is loaded when it is first opened. */
export function lazyPage(load: () => Promise<ComponentType<PageProps>>): ComponentType<PageProps> {
  let loaded: ComponentType<PageProps> | undefined
  return function Lazy(props: PageProps) {
    const [Page, setPage] = useState<ComponentType<PageProps> | undefined>(() => loaded)
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
