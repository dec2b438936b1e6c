import assert from 'node:assert/strict'
import { SaxesParser } from 'saxes'
import { sql } from '../../src/kernel/db/sql.ts'
import type { NewJobInput } from '../../src/resources/jobs/fields.ts'
import { createJob, moveJob } from '../../src/resources/jobs/index.ts'
import { startTestService } from '../harness/service.ts'

export interface TestSite {
  workspace: string
  slug: string
  /** The address of its pages. */
  url: string
}

/** A service, and how tests put sites and jobs into it. */
export async function startCareers() {
  const service = await startTestService({ ROLES: 'api' })
  const { db } = service.services
  return {
    service,
    db,
    async newSite(name = 'Acme Works'): Promise<TestSite> {
      const { id: workspace } = await service.workspace('enterprise', name)
      const { slug } = (await db.one(
        sql<{ slug: string }>`select slug from career_sites where workspace_id = ${workspace}`,
      ))!
      return { workspace, slug, url: `${service.origin}/careers/${slug}` }
    },
    async addJob(
      { workspace }: Pick<TestSite, 'workspace'>,
      input: NewJobInput,
      status: 'draft' | 'published' | 'closed' = 'published',
    ): Promise<{ id: string; slug: string }> {
      const id = await db.transaction(async tx => {
        const made = await createJob(tx, workspace, { content: { summary: `About ${input.title}` }, ...input })
        if (status !== 'draft') await moveJob(tx, workspace, made, 'publish')
        if (status === 'closed') await moveJob(tx, workspace, made, 'close')
        return made
      })
      return (await db.one(sql<{ id: string; slug: string }>`
        select id, slug from jobs where workspace_id = ${workspace} and id = ${id}`))!
    },
  }
}

export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  /** The text of the element and of everything inside. */
  text: string
}

/** Reads a document with a parser that accepts only well-formed XML with namespaces. */
export function parseXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true })
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value])
    const element = { name, attributes: Object.fromEntries(values), children: [], text: '' }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  const add = (chunk: string) => {
    for (const element of open) element.text += chunk
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  assert.equal(root.children.length, 1)
  return root.children[0]!
}

export const all = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter(child => child.name === name)

export const textOf = (element: XmlElement, name: string): string | undefined => all(element, name)[0]?.text
