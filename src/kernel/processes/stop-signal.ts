/** SIGTERM and Ctrl-C stop it in order, the second one immediately; so does the end of its terminal, or a reload. */
export function untilStopSignal(signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP']): Promise<void> {
  return new Promise(resolve => {
    let asked = false
    for (const signal of signals) {
      process.on(signal, () => {
        if (asked) process.exit(1)
        asked = true
        resolve()
      })
    }
  })
}
