import { IMPORT_LIMITS } from '../../../src/contract/limits.ts'
import { Notice } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { t } from '../texts/index.ts'

const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`

export const isTooLarge = (file: File): boolean => file.size > IMPORT_LIMITS.bytes

interface FileChoiceProps {
  file: File | undefined
  disabled: boolean
  maxLines: number
  hint: string | undefined
  emptyTable: string
  onChoose: (file: File | undefined) => void
}

export const FileChoice = ({ file, disabled, maxLines, hint, emptyTable, onChoose }: FileChoiceProps) => (
  <>
    <div class="panel import-file">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same */}
      <div
        class="drop"
        onDragOver={event => event.preventDefault()}
        onDrop={event => {
          event.preventDefault()
          if (!disabled) onChoose(event.dataTransfer?.files[0])
        }}
      >
        {!disabled && (
          <label class="button secondary" for="import-file">
            {file ? t.imports.anotherFile : t.imports.chooseFile}
          </label>
        )}
        <input
          id="import-file"
          class="visually-hidden"
          type="file"
          accept=".csv,text/csv"
          disabled={disabled}
          onChange={event => {
            onChoose(event.currentTarget.files?.[0])
            // the same file can be chosen again after it was changed
            event.currentTarget.value = ''
          }}
        />
        <span class="soft">{file ? file.name : t.imports.dropIt}</span>
      </div>
      <p class="hint-line">
        {t.imports.limits(megabytes(IMPORT_LIMITS.bytes), count.format(maxLines))} {hint}{' '}
        <a href={emptyTable} download>
          {t.imports.emptyTable}
        </a>
      </p>
    </div>
    {file && isTooLarge(file) && (
      <Notice tone="bad">{t.imports.tooLarge(megabytes(file.size), megabytes(IMPORT_LIMITS.bytes))}</Notice>
    )}
  </>
)
