/** Of this process alone: what other programs of the machine do is not in it. */
export const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
