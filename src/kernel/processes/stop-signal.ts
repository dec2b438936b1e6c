/** SIGTERM and Ctrl-C stop it in order; the second one immediately. */
export function untilStopSignal(): Promise<void> {
  return new Promise(resolve => {
    let asked = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1)
        asked = true
        resolve()
      })
    }
  })
}
