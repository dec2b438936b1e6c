/** Vite listens for signals as soon as it is loaded, to end programs that these tests never start. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const before = SIGNALS.map(signal => process.listeners(signal))
export const { parseSync } = await import('vite')
SIGNALS.forEach((signal, i) => {
  for (const listener of process.listeners(signal)) if (!before[i]!.includes(listener)) process.off(signal, listener)
})
