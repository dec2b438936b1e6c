import { useEffect, useRef, useState } from 'preact/hooks'
import { Notice } from '../../ui/notice.tsx'
import { BASE } from '../../ui/router.tsx'
import type { DataMessage, FileMessage, FrameMessage, ZoomMessage } from '../resume-viewer/messages.ts'

interface PdfFrameProps {
  bytes: ArrayBuffer
  title: string
  /** steps by which it is larger than the frame is wide, or smaller */
  zoomed: number
  onPages: (drawn: number, total: number) => void
}

/** Keys that the frame may pass on: they look, and change nothing. */
const PASSED_KEYS = ['j', 'k', 'r']

const FAULTS = {
  password: 'The file is protected with a password. Download it to open it with one.',
  unreadable: 'The file is not a PDF that can be shown. It can still be downloaded.',
} as const

/** Only files of pdf.js, which are public: the frame cannot make this page read anything else. */
const DATA_URL = /^\/web\/assets\/[\w-]+\.(pfb|ttf|bcmap)$/

async function giveData(frame: Window, { id, url }: { id: number; url: string }): Promise<void> {
  const response = DATA_URL.test(url) ? await fetch(url).catch(() => undefined) : undefined
  const data: DataMessage = { type: 'data', id, bytes: response?.ok ? await response.arrayBuffer() : null }
  frame.postMessage(data, '*', data.bytes ? [data.bytes] : [])
}

/**
 * The PDF, drawn by pdf.js in a document without an origin, a session or a connection (`web/hiring/resume-viewer`). Each file
 * has a frame of its own, so that a hostile one meets no other candidate's.
 */
export function PdfFrame({ bytes, title, zoomed, onPages }: PdfFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [state, setState] = useState<'loading' | 'shown' | keyof typeof FAULTS>('loading')
  useEffect(() => {
    const listen = (event: MessageEvent<FrameMessage>) => {
      const viewer = frame.current?.contentWindow
      if (!viewer || event.source !== viewer || event.origin !== 'null') return
      const message = event.data
      if (message.type === 'ready') {
        const theme = document.documentElement.dataset['theme']
        const file: FileMessage = {
          type: 'file',
          bytes: bytes.slice(0),
          theme: theme === 'light' || theme === 'dark' ? theme : null,
        }
        // an opaque origin has no name; what may be in the frame is limited by the policy of this page
        viewer.postMessage(file, '*', [file.bytes])
      } else if (message.type === 'need') void giveData(viewer, message)
      else if (message.type === 'shown') {
        setState('shown')
        onPages(message.pages, message.total)
      } else if (message.type === 'failed') setState(message.reason in FAULTS ? message.reason : 'unreadable')
      else if (message.type === 'key' && PASSED_KEYS.includes(message.key))
        dispatchEvent(new KeyboardEvent('keydown', { key: message.key }))
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [bytes])
  useEffect(() => {
    if (state !== 'shown') return
    const message: ZoomMessage = { type: 'zoom', steps: zoomed }
    frame.current?.contentWindow?.postMessage(message, '*')
  }, [state, zoomed])
  if (state === 'password' || state === 'unreadable') {
    return (
      <div class="resume-card">
        <Notice tone="warn">
          <p>{FAULTS[state]}</p>
        </Notice>
      </div>
    )
  }
  return (
    <iframe
      ref={frame}
      class="resume-frame"
      title={title}
      sandbox="allow-scripts"
      src={`${BASE}/resume-viewer`}
      aria-busy={state === 'loading'}
    />
  )
}
