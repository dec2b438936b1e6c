/** What every page is given. */
export interface PageProps<N extends string> {
  /** the named parts of the path */
  params: Readonly<Record<N, string>>
}
