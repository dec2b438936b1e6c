/** What every page is given. */
export interface PageProps {
  /** the named parts of the path */
  params: Readonly<Record<string, string>>
}
