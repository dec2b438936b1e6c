import type { Read } from '../api.ts'
import { t } from '../texts/index.ts'

type Kit = NonNullable<Read<'/applications/{application}/scorecards'>['kit']>

interface KitProps {
  kit: Kit
  stage: string | null
  asked: readonly string[]
  onAsked: (asked: string[]) => void
}

/** What the interviewers of a stage are given, next to the form: its questions are a checklist. */
export function ScorecardKit({ kit, stage, asked, onAsked }: KitProps) {
  const { intro, minutes, questions } = kit
  if (intro === null && questions.length === 0 && minutes === null) return null
  return (
    <section class="card-kit" aria-label={t.scorecards.kit}>
      <h3>
        {stage ?? t.scorecards.kit}
        {minutes !== null && <span class="faint"> · {t.scorecards.minutes(minutes)}</span>}
      </h3>
      {intro && <p class="as-written">{intro}</p>}
      {questions.length > 0 && (
        <fieldset class="kit-questions">
          <legend class="visually-hidden">{t.scorecards.askedQuestions}</legend>
          {questions.map(({ text, criterion }) => (
            <label key={text}>
              <input
                type="checkbox"
                checked={asked.includes(text)}
                onChange={event => {
                  const { checked } = event.currentTarget
                  onAsked(checked ? [...asked, text] : asked.filter(one => one !== text))
                }}
              />
              <span>
                {text}
                {criterion && <span class="hint"> {criterion}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </section>
  )
}
