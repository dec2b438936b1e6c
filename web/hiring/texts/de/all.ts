/** What those load who read German: the texts of the pages and of the shared components. */
export { de as ui } from '../../../ui/texts/de.ts'
export { de as texts } from './index.ts'
