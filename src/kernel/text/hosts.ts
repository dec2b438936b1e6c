/** Whether a host is the domain, or below it. */
export const isBelow = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
