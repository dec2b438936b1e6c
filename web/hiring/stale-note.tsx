import type { ComponentChildren } from 'preact'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** Someone else was faster: what the reader entered is not saved, and theirs can be loaded. */
export const StaleNote = ({ children, onLoad }: { children: ComponentChildren; onLoad: () => void }) => (
  <Notice tone="warn">
    <p role="alert">{children}</p>
    <p>
      <Button small onClick={onLoad}>
        Load their version
      </Button>
    </p>
  </Notice>
)
