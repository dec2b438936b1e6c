/** Uses something that must be closed, and closes it also after a failure or Ctrl-C. */
export async function usingAsync<S extends { close(): Promise<void> }, T>(
  opening: Promise<S>,
  use: (opened: S) => Promise<T>,
): Promise<T> {
  const opened = await opening
  let closing: Promise<void> | undefined
  const close = () => (closing ??= opened.close())
  const interrupt = () => {
    close().finally(() => process.exit(130))
  }
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  try {
    return await use(opened)
  } finally {
    await close()
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}
