/** Keys are managed by people whose e-mail address is of an allowed domain, the exact one; no list allows every domain. */
export function mayManageKeys(email: string, domains: readonly string[]): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return domains.length === 0 || domains.some(allowed => allowed.toLowerCase() === domain)
}
