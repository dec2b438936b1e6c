import type { ApiError } from '../../ui/api.ts'
import { ErrorNote, Notice } from '../../ui/notice.tsx'

/** Why a personal value was not shown, in its place. */
export function ReadFault({ error, retry }: { error: ApiError | undefined; retry: () => void }) {
  if (!error) return null
  if (error.code === 'personal_data_quota_exceeded') {
    return (
      <Notice tone="warn">
        <p>
          You have looked at as many contact details and résumés today as one person may. Nothing was shown or counted.
          The limit is lifted at midnight, UTC; a colleague can look in the meantime.
        </p>
      </Notice>
    )
  }
  return <ErrorNote error={error} retry={retry} />
}
