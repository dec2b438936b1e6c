import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { getOrCreate } from '../kernel/async/get-or-create.ts'
import { present } from '../kernel/errors/present.ts'
import type { Services } from '../kernel/services/services.ts'
import { BUILT_INDEX, type BuiltDownload, builtDownloads } from './build.ts'

export const DOWNLOADS_PATH = '/downloads'

/** A file as `/downloads/index.json` lists it. */
export interface ListedDownload extends BuiltDownload {
  object: 'download'
  url: string
  /** the command that installs or runs it; null: none */
  install: string | null
}

/** The files that this service offers. */
export interface Downloads {
  files: readonly ListedDownload[]
  /** undefined: not one of them */
  read: (filename: string) => Promise<Buffer> | undefined
}

export type ReadDownloads = () => Promise<Downloads>

/** How to read them, which builds them the first time; undefined where the operator switched downloads off. */
export function downloadsReader(services: Pick<Services, 'config' | 'publicUrl'>): ReadDownloads | undefined {
  const { config } = services
  if (config.DOWNLOADS === 'off') return undefined
  let reading: Promise<Downloads> | undefined
  return () => {
    // the URL is known when the server listens
    reading ??= readDownloads(config.DATA_DIR, services.publicUrl).catch(error => {
      reading = undefined
      throw error
    })
    return reading
  }
}

async function readDownloads(dataDir: string, origin: string): Promise<Downloads> {
  const { directory } = await builtDownloads(dataDir)
  const built = JSON.parse(await readFile(join(directory, BUILT_INDEX), 'utf8')) as BuiltDownload[]
  const files = built.map((file): ListedDownload => {
    const url = `${origin}${DOWNLOADS_PATH}/${file.filename}`
    return { object: 'download', ...file, url, install: installCommand(file, url) }
  })
  const names = new Set(files.map(({ filename }) => filename))
  const contents = new Map<string, Promise<Buffer>>()
  const read = (filename: string) =>
    names.has(filename)
      ? getOrCreate(contents, filename, () =>
          readFile(join(directory, filename)).catch(error => {
            contents.delete(filename)
            throw error
          }),
        )
      : undefined
  return { files, read }
}

/** npm notes the hash in the lock file; pip compares it with that in the URL. */
function installCommand({ language, sha256 }: BuiltDownload, url: string): string | null {
  if (language === 'typescript') return `npm install ${url}`
  if (language === 'javascript') return `npx ${url}`
  if (language === 'python') return `pip install "${url}#sha256=${sha256}"`
  return null
}

/** Names by which guides ask for a file. */
export type DownloadName = 'sdk' | 'cli' | 'wheel' | 'sdist' | 'openapi'

const ENDINGS: Readonly<Record<DownloadName, RegExp>> = {
  sdk: /^hiring-partner-sdk-.*\.tgz$/,
  cli: /^hiring-partner-cli-.*\.tgz$/,
  wheel: /\.whl$/,
  sdist: /\.tar\.gz$/,
  openapi: /^openapi-.*\.json$/,
}

export const findDownload = ({ files }: Downloads, name: DownloadName): ListedDownload =>
  present(
    files.find(({ filename }) => ENDINGS[name].test(filename)),
    name,
  )

const TYPES: Readonly<Record<string, string>> = {
  '.tgz': 'application/gzip',
  '.gz': 'application/gzip',
  '.whl': 'application/zip',
  '.json': 'application/json; charset=utf-8',
}

export const findContentType = (filename: string): string => present(TYPES[extname(filename)], filename)
