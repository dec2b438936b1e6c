/** A phone number as it is stored: `030/123 45 67`, and numbers that were copied with other dashes and spaces. */
export const phoneNumber = (text: string): string =>
  text
    .trim()
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/[\s\u00a0/]+/g, ' ')
