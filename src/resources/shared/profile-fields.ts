import { integer, nullable, text, url } from '../../kernel/http/shape.ts'

/** What pool profiles and sourced profiles both say about a person: three groups, since each record adds fields between. */
export const workFields = {
  full_name: nullable(text()),
  headline: nullable(text()),
  job_title: nullable(text()),
  company_name: nullable(text()),
  company_industry: nullable(text()),
  company_website: nullable(url()),
  company_linkedin_url: nullable(url()),
  department: nullable(text()),
  management_level: nullable(text()),
  location_full: nullable(text()),
  location_country: nullable(text()),
  linkedin_url: nullable(url()),
}

export const aboutFields = {
  photo_url: nullable(url()),
  summary: nullable(text()),
}

export const profileNumbers = {
  total_experience_months: nullable(integer()),
  connections_count: nullable(integer()),
  follower_count: nullable(integer()),
}
