/** Vite without what it changes in the process: other test files run in it, too. */

/** It listens for them as soon as it is loaded, to end programs that these tests never start. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const before = SIGNALS.map(signal => process.listeners(signal))
const vite = await import('vite')
SIGNALS.forEach((signal, i) => {
  for (const listener of process.listeners(signal)) if (!before[i]!.includes(listener)) process.off(signal, listener)
})

export const { parseSync } = vite

/** Sets NODE_ENV while it runs. */
export const build: typeof vite.build = async config => {
  const { NODE_ENV } = process.env
  try {
    return await vite.build(config)
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = NODE_ENV
  }
}
