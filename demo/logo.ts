import { encodePng, RGBA } from './files.ts'

/** The logo of the demo's first company: the head of a robot and its name, drawn with strokes and anti-aliased. */
const WIDTH = 300
const HEIGHT = 72
const COLOR = [14, 132, 98] as const

type Point = readonly [x: number, y: number]

/** Letters on a box one high; strokes are lines through these points. */
const LETTERS: Readonly<Record<string, { width: number; strokes: readonly (readonly Point[])[] }>> = {
  A: {
    width: 0.86,
    strokes: [
      [
        [0, 1],
        [0.43, 0],
        [0.86, 1],
      ],
      [
        [0.16, 0.66],
        [0.7, 0.66],
      ],
    ],
  },
  C: { width: 0.78, strokes: [arc(0.46, 0.5, 0.46, 0.5, -0.75, -5.53)] },
  M: {
    width: 0.92,
    strokes: [
      [
        [0, 1],
        [0, 0],
        [0.46, 0.62],
        [0.92, 0],
        [0.92, 1],
      ],
    ],
  },
  E: {
    width: 0.6,
    strokes: [
      [
        [0.6, 0],
        [0, 0],
        [0, 1],
        [0.6, 1],
      ],
      [
        [0, 0.5],
        [0.52, 0.5],
      ],
    ],
  },
}

function arc(x: number, y: number, rx: number, ry: number, from: number, to: number): Point[] {
  const steps = 24
  return Array.from({ length: steps + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / steps
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)] as const
  })
}

interface Stroke {
  points: readonly Point[]
  /** half of its thickness */
  radius: number
  /** takes away what is below it */
  erases?: true
}

function strokes(): Stroke[] {
  const head: Stroke[] = [
    { points: rectangle(14, 22, 58, 58), radius: 6 },
    { points: rectangle(14, 30, 58, 50), radius: 8 },
    { points: [at(36, 22), at(36, 9)], radius: 2.5 },
    { points: [at(36, 8)], radius: 5 },
    { points: [at(25, 38)], radius: 5.5, erases: true },
    { points: [at(47, 38)], radius: 5.5, erases: true },
    { points: [at(27, 52), at(45, 52)], radius: 2.5, erases: true },
  ]
  const size = 36
  let x = 92
  for (const letter of 'ACME') {
    const { width, strokes: lines } = LETTERS[letter]!
    for (const line of lines)
      head.push({ points: line.map(([px, py]) => at(x + px * size, 20 + py * size)), radius: 3.6 })
    x += width * size + 18
  }
  return head
}

const at = (x: number, y: number): Point => [x, y]

/** A line that fills a rectangle, thick enough to leave no gap. */
function rectangle(left: number, top: number, right: number, bottom: number): Point[] {
  const points: Point[] = []
  for (let y = top; y <= bottom; y += 4)
    points.push(...(points.length % 4 === 0 ? [at(left, y), at(right, y)] : [at(right, y), at(left, y)]))
  return points
}

function distance([x, y]: Point, points: readonly Point[]): number {
  if (points.length === 1) return Math.hypot(x - points[0]![0], y - points[0]![1])
  let least = Number.POSITIVE_INFINITY
  for (let i = 1; i < points.length; i++) {
    const [ax, ay] = points[i - 1]!
    const [bx, by] = points[i]!
    const length = (bx - ax) ** 2 + (by - ay) ** 2
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
    least = Math.min(least, Math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay)))
  }
  return least
}

/** A PNG with a transparent ground, readable on light and dark. */
export function acmeLogo(): Buffer {
  const drawn = strokes()
  const rows = Buffer.alloc((WIDTH * 4 + 1) * HEIGHT)
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      let cover = 0
      for (const { points, radius, erases } of drawn) {
        const share = Math.min(1, Math.max(0, radius + 0.5 - distance([x + 0.5, y + 0.5], points)))
        cover = erases ? Math.min(cover, 1 - share) : Math.max(cover, share)
      }
      rows.set([...COLOR, Math.round(cover * 255)], y * (WIDTH * 4 + 1) + 1 + x * 4)
    }
  return encodePng(WIDTH, HEIGHT, RGBA, rows)
}
