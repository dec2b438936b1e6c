export { readViews, removeView, saveView, type ViewReader } from './actions.ts'
export { MAX_VIEW_NAME, MAX_VIEW_QUERY } from './rules.ts'
