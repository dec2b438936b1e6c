import { Avatar } from '../../ui/avatar.tsx'
import { Field } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Select } from '../../ui/select.tsx'
import { t } from '../texts/index.ts'

interface Person {
  id: string
  name: string
}

interface PeopleFieldProps {
  /** who can be asked */
  people: readonly Person[]
  chosen: readonly string[]
  onInput: (ids: string[]) => void
  fault: string | undefined
}

/** Who interviews: those chosen, each with a button that leaves them out, and a list of the others. */
export function PeopleField({ people, chosen, onInput, fault }: PeopleFieldProps) {
  const others = people.filter(({ id }) => !chosen.includes(id))
  return (
    <Field label={t.interviews.people} fault={fault}>
      {control => (
        <div class="people-field">
          {chosen.map(id => {
            const name = people.find(person => person.id === id)?.name ?? ''
            return (
              <span class="chip" key={id}>
                <Avatar id={id} name={name} size={20} isNamed />
                <span>{name}</span>
                <button
                  type="button"
                  aria-label={t.interviews.removePerson(name)}
                  title={t.interviews.removePerson(name)}
                  onClick={() => onInput(chosen.filter(one => one !== id))}
                >
                  <Icon name="close" size={12} />
                </button>
              </span>
            )
          })}
          <Select
            {...control}
            small
            value=""
            options={[['', t.interviews.addPerson] as const, ...others.map(({ id, name }) => [id, name] as const)]}
            onInput={id => {
              if (id !== '') onInput([...chosen, id])
            }}
          />
        </div>
      )}
    </Field>
  )
}
