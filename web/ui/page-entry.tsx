import type { ComponentType, VNode } from 'preact'
import type { IconName } from './icons.tsx'
import type { PageProps } from './page-props.ts'
import { match, type ParamName } from './router.tsx'
import type { SignedIn } from './session.ts'

/** A page of a program, in the order of the navigation. The first whose path matches is shown. */
export interface PageEntry<S extends SignedIn> {
  path: string
  /** the page at an address, or undefined where its path does not match */
  draw: (address: string) => VNode | undefined
  /** shows the record before until the next one is there: another record does not begin with an empty page */
  isKept?: true
  /** its position in the navigation; pages without one are linked from others */
  nav?: {
    /** a function where it depends on the language */
    title: string | (() => string)
    group: string
    icon: IconName
    /** drawn next to the title, such as a number */
    badge?: ComponentType
    /** `g` and this key lead there */
    key?: string
    /** pages below this path belong to the entry too */
    below?: string
    when?: (session: S) => boolean
  }
}

interface TypedPage<S extends SignedIn, P extends string> extends Omit<PageEntry<S>, 'path' | 'draw'> {
  path: P
  component: ComponentType<PageProps<ParamName<P>>>
}

const entryOf = <S extends SignedIn, P extends string>({
  component: Page,
  ...entry
}: TypedPage<S, P>): PageEntry<S> => ({
  ...entry,
  draw: address => {
    const params = match(entry.path, address)
    return params && <Page params={params} />
  },
})

/** Each component is given the parameters that its path names. */
export const listPages = <S extends SignedIn, const P extends readonly string[]>(
  pages: {
    [I in keyof P]: TypedPage<S, P[I]>
  },
): readonly PageEntry<S>[] => pages.map(entryOf)

export const textOf = (text: string | (() => string)): string => (typeof text === 'string' ? text : text())

/** The pages that the navigation has for this person. */
export const navigationFor = <S extends SignedIn>(pages: readonly PageEntry<S>[], session: S) =>
  pages.flatMap(({ path, nav }) => (nav && (nav.when?.(session) ?? true) ? [{ path, ...nav }] : []))
