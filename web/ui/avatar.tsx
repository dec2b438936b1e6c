import { Icon } from './icons.tsx'
import { ui } from './texts/index.ts'

interface AvatarProps {
  /** the handle of the person: it chooses the color */
  id: string
  /** null: the reader may not see names */
  name: string | null | undefined
  /** 20 for members, 24 on cards and in rows, 32 in heads */
  size?: 20 | 24 | 32
  /** the name is next to it, so that it is decoration */
  isNamed?: boolean
}

const COLORS = 8

/** FNV-1a with 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

const firstGrapheme = (text: string): string => {
  for (const { segment } of new Intl.Segmenter().segment(text)) return segment
  return ''
}

/** The first sign of the first and of the last name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const last = words.length > 1 ? words.at(-1) : undefined
  return [words[0] ?? '', last ?? ''].map(firstGrapheme).join('').toLocaleUpperCase()
}

export function Avatar({ id, name, size = 24, isNamed }: AvatarProps) {
  const known = name?.trim() ? name : undefined
  const classes = `avatar size-${size} ${known === undefined ? 'unknown' : `color-${hashOf(id) % COLORS}`}`
  const title = known ?? ui.noName
  return (
    <span class={classes} title={title} {...(isNamed ? { 'aria-hidden': true } : { role: 'img', 'aria-label': title })}>
      {known === undefined ? <Icon name="person" size={size - 8} /> : initialsOf(known)}
    </span>
  )
}
