import type { SecondFactorPolicy } from '../../contract/second-factor.ts'

export interface SettingsResponse {
  key_management_domains: string[]
  connected_app_writes: boolean
  webhooks_self_serve: boolean
  second_factor: SecondFactorPolicy
}

export interface LimitResponse {
  name:
    | 'general_per_minute'
    | 'expensive_per_minute'
    | 'download_per_minute'
    | 'personal_data_reads_per_day'
    | 'requests_per_month'
  /** null: unlimited */
  plan: number | null
  /** what the operator set for the workspace; undefined: nothing */
  own?: number | null
  /** what holds */
  value: number | null
}

export interface LimitsResponse {
  limits: LimitResponse[]
}

export interface RetentionRow {
  kind: 'applications' | 'audit' | 'events' | 'deliveries' | 'request_log'
  unit: 'months' | 'days'
  /** null: nothing was set; 0: without an end */
  own: number | null
  /** what the installation gives */
  fallback: number
  /** what holds */
  value: number
  least: number
  most: number
  /** whether 0 is allowed */
  endless: boolean
  description: string
}

export interface RetentionResponse {
  rows: RetentionRow[]
  /** the longest time for applications that the installation allows; null: as long as the row says */
  longest_months: number | null
}

export interface RetentionPreviewResponse {
  would_delete: { kind: RetentionRow['kind'] | 'people'; n: number; oldest: string | null }[]
  /** some of them, those without activity for the longest time first */
  applications: { id: string; status: string; updated_at: string }[]
}

export interface DeletionOptionsResponse {
  grace_days: number
  recently_signed_in: boolean
}

export interface DeletionResponse {
  delete_at: string
}

export interface CareersSiteResponse {
  slug: string
  /** former slugs, which lead to the current one */
  earlier_slugs: readonly string[]
  enabled: boolean
  /** null: the name of the workspace */
  display_name: string | null
  workspace_name: string
  headline: string | null
  introduction_md: string | null
  accent_color: string | null
  /** changes with the logo; null: none */
  logo_version: string | null
  /** what people should know about the logo: that it is small, or of a shape that search engines do not show */
  logo_notes: string[]
  website_url: string | null
  privacy_url: string | null
  imprint_url: string | null
  /** whether the sitemap of the installation names the site */
  listed: boolean
  /** that replies of candidates go to */
  contact_email: string | null
  /** two letters; of locations that name no country */
  country: string | null
  /** by language; one without uses the service's own text */
  confirmations: Readonly<Record<string, { subject: string; body: string }>>
  updated_at: string
  url: string
  /** locations of open jobs that name no country which is certain: search engines and job boards get none of them */
  unclear_places: readonly string[]
  /** those that the site has, with the text that is sent in them unless there is another, as a template */
  languages: readonly {
    code: string
    name: string
    /** for previews */
    sample_job: string
    standard: { subject: string; body: string }
  }[]
}
