export const count = new Intl.NumberFormat('en')

/** `87%`: how well someone fits a job, and other parts of a hundred. */
export const percent = (value: number): string => `${value}%`

/** `1 delivery`, `2,000 deliveries` */
export const amount = (n: number, one: string, many = `${one}s`): string => `${count.format(n)} ${n === 1 ? one : many}`
