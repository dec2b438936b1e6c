/**
 * Work that is done once for everything that arrived in one tick of the event loop: first the lookups that many requests
 * share are collected into statements (`collect`), then statements are sent to the database (`flush`). A tick ends as
 * soon as the sockets that were ready have been read, so nothing is delayed that could already be sent.
 */
const collectors: (() => void)[] = []
const flushes: (() => void)[] = []
let scheduled = false

export function onTickEnd(stage: 'collect' | 'flush', run: () => void): void {
  ;(stage === 'collect' ? collectors : flushes).push(run)
  if (scheduled) return
  scheduled = true
  setImmediate(endTick)
}

function endTick(): void {
  // collecting may add statements to flush; what is added later belongs to the next tick
  for (const run of collectors.splice(0)) run()
  for (const run of flushes.splice(0)) run()
  scheduled = collectors.length > 0 || flushes.length > 0
  if (scheduled) setImmediate(endTick)
}
