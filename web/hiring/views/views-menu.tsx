import { useState } from 'preact/hooks'
import { type ViewPage, viewQuery } from '../../../src/contract/saved-views.ts'
import { Icon } from '../../ui/icons.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { navigate, useAddress } from '../../ui/router.tsx'
import '../css/views.css'
import { t } from '../texts/index.ts'
import { type SavedView, useSavedViews, viewAddress } from './saved-views.ts'
import { ViewDialog } from './view-dialog.tsx'

interface MenuProps {
  page: ViewPage
  jobId?: string
}

/** The views of a page: open one, save what is shown, edit the one that is shown. */
export function ViewsMenu({ page, jobId }: MenuProps) {
  const { search } = useAddress()
  const views = (useSavedViews() ?? []).filter(view => view.page === page && (view.job_id ?? undefined) === jobId)
  const [asking, setAsking] = useState<'new' | SavedView>()
  const query = viewQuery(page, search)
  const current = views.find(view => viewQuery(page, view.query) === query && !view.is_gone)
  const items: MenuItem[] = [
    ...views.map(view => ({ label: view.name, onSelect: () => navigate(viewAddress(view)) })),
    { label: t.views.saveMore, isAfterLine: views.length > 0, onSelect: () => setAsking('new') },
    ...(current ? [{ label: t.views.editMore(current.name), onSelect: () => setAsking(current) }] : []),
  ]
  const isNew = asking === 'new'
  return (
    <>
      <Menu
        items={items}
        // says what it is for, and has the words that it shows
        label={current ? `${t.views.views}: ${current.name}` : t.views.views}
        class="button secondary small views-button"
        alignEnd
      >
        <span>{current?.name ?? t.views.views}</span>
        <Icon name="down" size={14} />
      </Menu>
      {asking && (
        <ViewDialog
          view={isNew ? { name: '', page, job_id: jobId ?? null, query, shared: false } : asking}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  )
}
