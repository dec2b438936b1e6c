import { useId, useState } from 'preact/hooks'
import { BrowserStorage } from '../../ui/browser-storage.ts'
import { t } from '../texts/index.ts'

const storage = new BrowserStorage<boolean>('localStorage', 'hiring-then-next')

/** Whether the next candidate of the list is shown after a decision; on until the person switches it off. */
export const goesOn = (): boolean => storage.read('on') ?? true

export function ThenNext() {
  const id = useId()
  const [on, setOn] = useState(goesOn)
  return (
    <label class="check" for={id}>
      <input
        id={id}
        type="checkbox"
        checked={on}
        onChange={event => {
          storage.write('on', event.currentTarget.checked)
          setOn(event.currentTarget.checked)
        }}
      />
      {t.decisions.thenNext}
    </label>
  )
}
