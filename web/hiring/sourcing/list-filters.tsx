import { Filters, FilterText } from '../../ui/filters.tsx'
import { SelectField } from '../../ui/form.tsx'

interface Choice<N extends string> {
  name: N
  label: string
  /** after the one that leaves the filter out */
  options: readonly (readonly [value: string, label: string])[]
  /** what it is called if nothing is chosen */
  any?: string
}

interface ListFiltersProps<N extends string> {
  values: Readonly<Record<N | 'q', string>>
  set: (changes: Partial<Record<N | 'q', string>>) => void
  /** an example of what can be found; undefined: the role may not search */
  find: string | undefined
  choices: readonly Choice<N>[]
}

/** What lists, profiles and the people of a list are narrowed by: a part of a text, and choices. */
export const ListFilters = <N extends string>({ values, set, find, choices }: ListFiltersProps<N>) => {
  // the names are known one by one: TypeScript does not see that { [name]: value } has a name of N
  const setOne = (name: N | 'q', value: string) => set({ [name]: value } as Partial<Record<N | 'q', string>>)
  return (
    <Filters values={values} set={set}>
      {find !== undefined && (
        <FilterText words label="Find" value={values.q} onInput={q => setOne('q', q)} placeholder={find} />
      )}
      {choices.map(({ name, label, options, any = 'All' }) => (
        <SelectField
          key={name}
          label={label}
          value={values[name]}
          onInput={value => setOne(name, value)}
          options={[['', any], ...options]}
        />
      ))}
    </Filters>
  )
}

export const isFiltered = (values: Readonly<Record<string, string>>): boolean =>
  Object.values(values).some(value => value !== '')

/** What a list says that has nothing for these filters: a title and a sentence. */
export const nothingMatches = (what: string) => [`No matching ${what}`, 'Change or clear the filters.'] as const
