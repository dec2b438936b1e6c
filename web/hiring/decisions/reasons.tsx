import '../css/reasons.css'
import { useEffect, useRef } from 'preact/hooks'
import { FREE_REASONS } from '../../../src/contract/decision-reasons.ts'
import { shown } from '../../ui/language.ts'
import { Skeleton } from '../../ui/notice.tsx'
import { useData } from '../api.ts'

/** Whom a decision is about. */
export interface Addressee {
  applicationId: string
  name: string
}

export interface ReasonOption {
  id: string
  name: string
  templateId: string | null
  needsText: boolean
}

/** What can be chosen, in the order of the workspace and the language of the pages; undefined until it is read. */
export function useReasons(side: 'reject' | 'withdraw'): ReasonOption[] | undefined {
  const { data } = useData('/decision-reasons')
  return data?.reasons
    .filter(reason => reason.side === side && !reason.archived)
    .map(({ id, names, template_id }) => ({
      id,
      name: names[shown.language] ?? Object.values(names)[0] ?? '',
      templateId: template_id,
      needsText: id === FREE_REASONS[side],
    }))
}

/** A digit that is pressed before everything is read counts as soon as it is. */
export function usePressedDigit(
  ready: boolean,
  reasons: readonly ReasonOption[] | undefined,
  press: (one: ReasonOption) => void,
) {
  const waiting = useRef<number>(undefined)
  const run = (digit: number) => {
    const reason = reasons?.[digit - 1]
    if (!ready || !reason) waiting.current = digit
    else press(reason)
  }
  useEffect(() => {
    if (!ready || waiting.current === undefined) return
    const digit = waiting.current
    waiting.current = undefined
    run(digit)
  }, [ready])
  return run
}

interface ReasonListProps {
  reasons: readonly ReasonOption[] | undefined
  chosen: string | undefined
  onChoose: (id: string) => void
  label: string
}

/** One of the reasons, by digit, arrow or click. */
export function ReasonList({ reasons, chosen, onChoose, label }: ReasonListProps) {
  const list = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const focused = document.activeElement
    const isElsewhere = focused instanceof HTMLElement && focused.matches('input[type=text], textarea')
    if (reasons && !isElsewhere)
      (
        list.current?.querySelector<HTMLElement>('input:checked') ?? list.current?.querySelector<HTMLElement>('input')
      )?.focus()
  }, [reasons !== undefined])
  // arrows go on from the one that a digit chose
  useEffect(() => {
    const focused = document.activeElement
    if (focused instanceof HTMLInputElement && focused.type === 'radio' && list.current?.contains(focused))
      list.current.querySelector<HTMLElement>('input:checked')?.focus()
  }, [chosen])
  return (
    // has the focus until the reasons are read, so that a digit is not typed into a text
    <fieldset class="reason-list" ref={list} tabIndex={-1} data-autofocus>
      <legend>{label}</legend>
      {!reasons && <Skeleton lines={6} />}
      {reasons?.map(({ id, name }, i) => (
        <label key={id} class={id === chosen ? 'chosen' : undefined}>
          <input type="radio" name="reason" value={id} checked={id === chosen} onChange={() => onChoose(id)} />
          <kbd>{i < 9 ? i + 1 : ''}</kbd>
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}
