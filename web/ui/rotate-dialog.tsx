import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { API_LIMITS } from '../../src/contract/limits.ts'
import { Confirm } from './dialog.tsx'
import { SelectField } from './form.tsx'

const DEFAULT_HOURS = String(API_LIMITS.keyRotationOverlapHours)

interface RotateProps<Issued> {
  title?: string
  /** what happens to the current secret */
  children: ComponentChildren
  /** what it means that there is no overlap */
  noOverlap?: string
  rotate: (overlapHours: number) => Promise<Issued>
  onClose: () => void
  onIssued: (issued: Issued) => void
}

/** Asks how long the current secret keeps working, and issues a new one. */
export function RotateDialog<Issued>(props: RotateProps<Issued>) {
  const { title = 'Rotate the secret', children, noOverlap = 'the old secret stops working now' } = props
  const { rotate, onClose, onIssued } = props
  const [hours, setHours] = useState(DEFAULT_HOURS)
  return (
    <Confirm
      title={title}
      action="Rotate"
      onClose={onClose}
      onConfirm={async () => {
        const issued = await rotate(Number(hours))
        onClose()
        onIssued(issued)
        scrollTo(0, 0)
      }}
    >
      {children}
      <SelectField
        label="Overlap"
        value={hours}
        onInput={setHours}
        options={[
          ['0', `None: ${noOverlap}`],
          ['1', '1 hour'],
          [DEFAULT_HOURS, '24 hours'],
          ['72', '3 days'],
          [String(API_LIMITS.keyRotationMaxOverlapHours), '7 days'],
        ]}
      />
    </Confirm>
  )
}
