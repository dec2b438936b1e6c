/** What a template of an email of the careers site can contain in double braces. */
export const TEMPLATE_VARIABLES = ['first_name', 'job_title', 'company'] as const

/** What a template of the hiring team can contain besides: `link` opens the candidate's page. */
export const MESSAGE_VARIABLES = [...TEMPLATE_VARIABLES, 'interview_time', 'link'] as const

export type TemplateVariable = (typeof MESSAGE_VARIABLES)[number]

/** The values that are known. */
export type TemplateValues = Readonly<Partial<Record<TemplateVariable, string>>>

const VARIABLE = /\{\{([^{}]*)\}\}/g

/** The variables that a template names, also those that do not exist. */
export const variablesIn = (template: string): string[] => [
  ...new Set([...template.matchAll(VARIABLE)].map(([, name = '']) => name.trim())),
]

/** The text with the values in it. A value is text: braces in it are not looked at again. */
export const fillTemplate = (template: string, values: TemplateValues): string =>
  template.replaceAll(VARIABLE, (found, name: string) => {
    const variable = MESSAGE_VARIABLES.find(known => known === name.trim())
    return (variable && values[variable]) ?? found
  })

/** The last lines of a message of the pages: where its reader can respond without email. */
export const writeBackLine = (url: string): string => `Your applications, and a form to write back: ${url}`
