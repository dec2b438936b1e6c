export { addTemplate, editTemplate, removeTemplate } from './actions.ts'
export { templateBody } from './rules.ts'
export { selectMessageTemplates } from './store.ts'
