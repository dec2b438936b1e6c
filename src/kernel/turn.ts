/**
 * Work that is worth doing once for everything that arrived in one turn of the event loop: first the questions that
 * many requests share are put together (`ask`), then what is to be sent to the database goes out (`send`). A turn ends
 * as soon as the sockets that were ready have been read, so nothing waits that could already go.
 */
const asks: (() => void)[] = []
const sends: (() => void)[] = []
let scheduled = false

export function atTurnEnd(stage: 'ask' | 'send', run: () => void): void {
  ;(stage === 'ask' ? asks : sends).push(run)
  if (scheduled) return
  scheduled = true
  setImmediate(endTurn)
}

function endTurn(): void {
  // asking may add to what is sent; what comes after this is the next turn's
  for (const run of asks.splice(0)) run()
  for (const run of sends.splice(0)) run()
  scheduled = asks.length > 0 || sends.length > 0
  if (scheduled) setImmediate(endTurn)
}
