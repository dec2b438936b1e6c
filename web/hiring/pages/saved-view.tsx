import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { navigate } from '../../ui/router.tsx'
import { useData } from '../api.ts'
import { t } from '../texts/index.ts'
import { viewAddress } from '../views/saved-views.ts'
import { ViewDialog } from '../views/view-dialog.tsx'

/** Leads to what a view shows, or says why it shows nothing. */
export function SavedViewPage({ params: { id } }: PageProps<'id'>) {
  const { data, reload } = useData('/saved-views')
  const [isEditing, setEditing] = useState(false)
  const view = data?.views.find(one => one.id === id)
  const address = view && !view.is_gone ? viewAddress(view) : undefined
  useEffect(() => {
    if (address !== undefined) navigate(address, { replace: true })
  }, [address])
  if (!data || address !== undefined) return <PageHead title={t.views.views} />
  return (
    <>
      <PageHead title={view?.name ?? t.views.views} />
      {view ? (
        <Empty title={t.views.jobGone}>
          {view.own && (
            <Button small onClick={() => (view.page === 'candidates' ? navigate(viewAddress(view)) : setEditing(true))}>
              {t.views.edit}
            </Button>
          )}
        </Empty>
      ) : (
        <Empty title={t.views.notShared} />
      )}
      {view && isEditing && <ViewDialog view={view} onClose={() => setEditing(false)} onSaved={reload} />}
    </>
  )
}
