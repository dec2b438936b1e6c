/**
 * The part of schema.org's definitions that a job posting uses: for each class its parent and the types that each
 * property may have. https://schema.org/JobPosting and the classes it names, release 29.
 */
interface ClassDefinition {
  parent?: string
  properties: Readonly<Record<string, readonly string[]>>
}

const CLASSES: Readonly<Record<string, ClassDefinition>> = {
  Thing: {
    properties: {
      name: ['Text'],
      description: ['Text', 'TextObject'],
      identifier: ['PropertyValue', 'Text', 'URL'],
      url: ['URL'],
      sameAs: ['URL'],
      image: ['ImageObject', 'URL'],
    },
  },
  Intangible: { parent: 'Thing', properties: {} },
  StructuredValue: { parent: 'Intangible', properties: {} },
  JobPosting: {
    parent: 'Intangible',
    properties: {
      applicantLocationRequirements: ['AdministrativeArea'],
      baseSalary: ['MonetaryAmount', 'Number', 'PriceSpecification'],
      datePosted: ['Date', 'DateTime'],
      directApply: ['Boolean'],
      employmentType: ['Text'],
      experienceRequirements: ['OccupationalExperienceRequirements', 'Text'],
      hiringOrganization: ['Organization', 'Person'],
      jobBenefits: ['Text'],
      jobLocation: ['Place'],
      jobLocationType: ['Text'],
      qualifications: ['EducationalOccupationalCredential', 'Text'],
      responsibilities: ['Text'],
      skills: ['DefinedTerm', 'Text'],
      title: ['Text'],
      validThrough: ['Date', 'DateTime'],
    },
  },
  Organization: { parent: 'Thing', properties: { logo: ['ImageObject', 'URL'], legalName: ['Text'] } },
  Place: { parent: 'Thing', properties: { address: ['PostalAddress', 'Text'] } },
  AdministrativeArea: { parent: 'Place', properties: {} },
  Country: { parent: 'AdministrativeArea', properties: {} },
  ContactPoint: { parent: 'StructuredValue', properties: {} },
  PostalAddress: {
    parent: 'ContactPoint',
    properties: {
      addressCountry: ['Country', 'Text'],
      addressLocality: ['Text'],
      addressRegion: ['Text'],
      postalCode: ['Text'],
      streetAddress: ['Text'],
    },
  },
  PropertyValue: { parent: 'StructuredValue', properties: { value: ['Boolean', 'Number', 'StructuredValue', 'Text'] } },
  MonetaryAmount: {
    parent: 'StructuredValue',
    properties: {
      currency: ['Text'],
      maxValue: ['Number'],
      minValue: ['Number'],
      value: ['Boolean', 'Number', 'StructuredValue', 'Text'],
    },
  },
  QuantitativeValue: {
    parent: 'StructuredValue',
    properties: {
      maxValue: ['Number'],
      minValue: ['Number'],
      unitText: ['Text'],
      value: ['Boolean', 'Number', 'StructuredValue', 'Text'],
    },
  },
  OccupationalExperienceRequirements: { parent: 'Intangible', properties: { monthsOfExperience: ['Number'] } },
}

const isA = (name: string, wanted: string): boolean => {
  for (let at: string | undefined = name; at !== undefined; at = CLASSES[at]?.parent) if (at === wanted) return true
  return false
}

const typesOf = (name: string, property: string): readonly string[] | undefined => {
  for (let at: string | undefined = name; at !== undefined; at = CLASSES[at]?.parent) {
    const types = CLASSES[at]?.properties[property]
    if (types) return types
  }
  return undefined
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const SIMPLE: Readonly<Record<string, (value: unknown) => boolean>> = {
  Text: value => typeof value === 'string' && value !== '',
  URL: value => typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
  Number: value => typeof value === 'number' && Number.isFinite(value),
  Boolean: value => typeof value === 'boolean',
  Date: value => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
  DateTime: value => typeof value === 'string' && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value)),
}

/** What schema.org's definitions do not allow, one line each. */
export function schemaFaults(data: unknown, at = ''): string[] {
  if (typeof data !== 'object' || data === null) return [`${at}: is no object`]
  const { '@type': type, '@context': context, ...properties } = data as Record<string, unknown>
  const faults: string[] = []
  if (at === '' && context !== 'https://schema.org') faults.push('@context')
  if (typeof type !== 'string' || !CLASSES[type]) return [...faults, `${at}: unknown class ${String(type)}`]
  for (const [name, value] of Object.entries(properties)) {
    const path = `${at}${at && '.'}${name}`
    const types = typesOf(type, name)
    if (!types) {
      faults.push(`${path}: ${type} has no such property`)
      continue
    }
    for (const one of Array.isArray(value) ? value : [value]) {
      const inner = (one as Record<string, unknown> | null)?.['@type']
      if (typeof inner === 'string') {
        if (!types.some(wanted => isA(inner, wanted))) faults.push(`${path}: ${inner} is none of ${types.join(', ')}`)
        faults.push(...schemaFaults(one, path))
      } else if (!types.some(wanted => SIMPLE[wanted]?.(one))) {
        faults.push(`${path}: ${JSON.stringify(one)} is none of ${types.join(', ')}`)
      }
    }
  }
  return faults
}

const EMPLOYMENT = ['FULL_TIME', 'PART_TIME', 'CONTRACTOR', 'TEMPORARY', 'INTERN', 'VOLUNTEER', 'PER_DIEM', 'OTHER']
const UNITS = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR']

/** What Google's guidelines for job postings ask for beyond that. */
// biome-ignore lint/suspicious/noExplicitAny: looks into data of every kind
export function googleFaults(data: any): string[] {
  const faults: string[] = []
  const need = (holds: boolean, what: string) => {
    if (!holds) faults.push(what)
  }
  for (const name of ['title', 'description', 'datePosted', 'hiringOrganization'])
    need(name in data, `${name} is required`)
  need(data.description !== '', 'description is not empty')
  need(!/<[^>]+>/.test(data.title), 'title is no HTML')
  need(!/<(?:script|style|img|iframe|form)/.test(data.description), 'description is text')
  need(data.employmentType === undefined || EMPLOYMENT.includes(data.employmentType), 'employmentType')
  const remote = data.jobLocationType === 'TELECOMMUTE'
  need('jobLocation' in data || remote, 'jobLocation, or a job that is wholly remote')
  for (const { address } of [data.jobLocation ?? []].flat())
    need(/^[A-Z]{2}$/.test(address.addressCountry), 'a place names its country')
  // without a place, those who may apply must live somewhere
  if (remote && !('jobLocation' in data)) {
    const lands = [data.applicantLocationRequirements ?? []].flat()
    need(lands.length > 0 && lands.every(land => Boolean(land.name)), 'a remote job names the countries of applicants')
  }
  need(data.jobLocationType === undefined || data.jobLocationType === 'TELECOMMUTE', 'jobLocationType')
  need(data.validThrough === undefined || data.validThrough > data.datePosted, 'validThrough is after datePosted')
  const salary = data.baseSalary
  if (salary !== undefined) {
    need(/^[A-Z]{3}$/.test(salary.currency), 'currency has three letters')
    need(UNITS.includes(salary.value.unitText), 'unitText')
    need('value' in salary.value || 'minValue' in salary.value || 'maxValue' in salary.value, 'an amount')
  }
  return faults
}
