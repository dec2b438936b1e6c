const MAX_RANGES = 20

/** The languages of a browser, `de` for `de-AT`, the preferred one first; `*` means any. */
export function acceptedLanguages(header: string | undefined): string[] {
  const ranges = (header ?? '')
    .slice(0, 1000)
    .split(',', MAX_RANGES)
    .map(part => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const [code = ''] = tag.split('-')
      const weight = parameters.map(p => p.trim()).find(p => p.startsWith('q='))
      return { code, q: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ q }) => q > 0)
  // a stable sort: of equal weights the first counts
  return ranges.toSorted((a, b) => b.q - a.q).map(({ code }) => code)
}
