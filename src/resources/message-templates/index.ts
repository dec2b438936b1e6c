export { addTemplate, editTemplate, removeTemplate } from './actions.ts'
export { templateBody } from './rules.ts'
export { templatesOf } from './store.ts'
