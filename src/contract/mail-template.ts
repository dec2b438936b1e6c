/** What a template of an email to a candidate can contain in double braces. */
export const TEMPLATE_VARIABLES = ['first_name', 'job_title', 'company'] as const

export type TemplateValues = Readonly<Record<(typeof TEMPLATE_VARIABLES)[number], string>>

const VARIABLE = /\{\{([^{}]*)\}\}/g

/** The variables that a template names, also those that do not exist. */
export const variablesIn = (template: string): string[] => [
  ...new Set([...template.matchAll(VARIABLE)].map(([, name = '']) => name.trim())),
]

/** The text with the values in it. A value is text: braces in it are not looked at again. */
export const fillTemplate = (template: string, values: TemplateValues): string =>
  template.replaceAll(VARIABLE, (found, name: string) => {
    const variable = TEMPLATE_VARIABLES.find(known => known === name.trim())
    return variable ? values[variable] : found
  })
