import { useId } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import { t } from '../texts/index.ts'
import { type FileState, isLeftOut, RESUME_ENDINGS, stateWords } from './resume-file.ts'

interface Props {
  file: File | undefined
  state: FileState | undefined
  fault: string | undefined
  onChoose: (file: File | undefined) => void
}

/** The résumé of a person who is added. */
export function ResumeField({ file, state, fault, onChoose }: Props) {
  const id = useId()
  return (
    <div class="field">
      <span class="label">{t.adding.resume}</span>
      <div class="drop resume-drop">
        <label class="button secondary small" for={id}>
          {file ? t.adding.otherResume : t.adding.chooseResume}
        </label>
        <input
          id={id}
          class="visually-hidden"
          type="file"
          accept={RESUME_ENDINGS}
          onChange={event => {
            const [chosen] = event.currentTarget.files ?? []
            if (chosen) onChoose(chosen)
            event.currentTarget.value = ''
          }}
        />
        <span class={file ? 'file-name' : 'soft'}>{file ? file.name : t.adding.dropResume}</span>
        {file && (
          <button
            type="button"
            class="icon-button"
            aria-label={t.adding.removeResume}
            title={t.adding.removeResume}
            onClick={() => onChoose(undefined)}
          >
            <Icon name="close" size={14} />
          </button>
        )}
      </div>
      <div role="status">
        {state && <p class={isLeftOut(state) || state === 'failed' ? 'fault' : 'hint'}>{stateWords(state)}</p>}
      </div>
      {fault && <p class="fault">{fault}</p>}
    </div>
  )
}
