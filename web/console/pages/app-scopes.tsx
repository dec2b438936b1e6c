import { isAppScope, isScope, SCOPES } from '../../../src/contract/scopes.ts'
import { ScopePicker } from '../../ui/scope.tsx'
import { SCOPE_GROUPS } from '../scopes.ts'

/** What an app asks for; `optional` are those of them that a customer can leave out. */
export interface AppScopes {
  asked: ReadonlySet<string>
  optional: ReadonlySet<string>
}

const GROUPS = SCOPE_GROUPS.map(({ scopes, ...group }) => ({
  ...group,
  choices: scopes
    .filter(scope => isAppScope(scope) || SCOPES[scope].own)
    .map(scope => ({ name: scope, description: SCOPES[scope].description })),
})).filter(({ choices }) => choices.length > 0)

const toggled = (set: ReadonlySet<string>, name: string, on: boolean): ReadonlySet<string> =>
  new Set(on ? [...set, name] : [...set].filter(one => one !== name))

/** As the console's calls name them. */
export const scopesToSend = ({ asked, optional }: AppScopes) => ({
  scopes: [...asked].filter(scope => !optional.has(scope)),
  optional_scopes: [...asked].filter(scope => optional.has(scope)),
})

/** The scopes of an app, and which of them customers can leave out. */
export function AppScopesPicker({ value, onChange }: { value: AppScopes; onChange: (value: AppScopes) => void }) {
  const { asked, optional } = value
  const choices = [...asked].filter(isScope).map(name => ({ name, description: SCOPES[name].description }))
  return (
    <>
      <ScopePicker
        groups={GROUPS}
        chosen={asked}
        onChange={(name, on) =>
          onChange({ asked: toggled(asked, name, on), optional: on ? optional : toggled(optional, name, false) })
        }
      />
      {choices.length > 0 && (
        <ScopePicker
          groups={[
            {
              title: 'Optional',
              description: 'The person who installs the app can leave these out. At least one scope is required.',
              choices,
            },
          ]}
          chosen={optional}
          onChange={(name, on) => onChange({ asked, optional: toggled(optional, name, on) })}
        />
      )}
    </>
  )
}
