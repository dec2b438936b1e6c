/** The CPU seconds of this process: other programs of the machine do not change them. */
export const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
