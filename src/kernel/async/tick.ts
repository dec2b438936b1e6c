/**
 * Work that is worth doing once for everything that arrived in one turn of the event loop: first the questions that
 * many requests share are put together (`ask`), then what is to be sent to the database goes out (`send`). A turn ends
 * as soon as the sockets that were ready have been read, so nothing waits that could already go.
 */
const collectors: (() => void)[] = []
const flushes: (() => void)[] = []
let scheduled = false

export function onTickEnd(stage: 'ask' | 'send', run: () => void): void {
  ;(stage === 'ask' ? collectors : flushes).push(run)
  if (scheduled) return
  scheduled = true
  setImmediate(endTick)
}

function endTick(): void {
  // asking may add to what is sent; what comes after this is the next turn's
  for (const run of collectors.splice(0)) run()
  for (const run of flushes.splice(0)) run()
  scheduled = collectors.length > 0 || flushes.length > 0
  if (scheduled) setImmediate(endTick)
}
