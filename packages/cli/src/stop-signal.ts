/** Aborted by Ctrl-C or SIGTERM. The second one ends the process immediately, because nothing handles it any more. */
export function stopSignal(): { signal: AbortSignal; release(): void } {
  const stop = new AbortController()
  const onSignal = () => stop.abort(new Error('stopped'))
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const name of signals) process.once(name, onSignal)
  return {
    signal: stop.signal,
    release: () => {
      for (const name of signals) process.off(name, onSignal)
    },
  }
}
