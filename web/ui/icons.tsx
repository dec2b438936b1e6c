const PATHS = {
  overview: 'M3 3v14h14M6.5 13v-3M10 13V6.5M13.5 13V9',
  bell: 'M10 3a4.500 4.500 0 0 0-4.500 4.500c0 4-1.500 5.500-2 6h13c-.500-.500-2-2-2-6A4.500 4.500 0 0 0 10 3ZM8.500 16.500a1.600 1.600 0 0 0 3 0',
  key: 'M12.5 7.5h.01M12 12.5a4.5 4.5 0 1 0-4.3-3.2L3 14v3h3v-2h2v-2l1.7-1.7c.7.8 1.4 1.2 2.3 1.2Z',
  webhook:
    'M6 13.5a2.5 2.5 0 1 0 2.5 2.5h5M8 5.6a2.5 2.5 0 1 1 3.6 2.9l2.6 4.6M14.5 13a2.5 2.5 0 1 1-2 4.2M9.7 8.4 7 13',
  deliveries: 'M3 10h11m0 0-4-4m4 4-4 4M17 4v12',
  requests: 'M4 7h12m0 0-3-3m3 3-3 3M16 13H4m0 0 3-3m-3 3 3 3',
  job: 'M3 7h14v9.5H3zM7 7V4.500h6V7M3 11.500h14M10 10.500v2',
  events: 'M4 5h.01M4 10h.01M4 15h.01M8 5h9M8 10h9M8 15h9',
  check: 'm4 10.5 4 4 8-9',
  shield: 'M10 2.5 4 5v4.5c0 4 2.5 6.700 6 8 3.500-1.300 6-4 6-8V5l-6-2.500Z',
  eraser: 'm8.500 16.500-5-5 8-8 5 5-8 8Zm0 0H17M6.500 8.500l5 5',
  people:
    'M13 16.500v-1.500a3 3 0 0 0-3-3H6a3 3 0 0 0-3 3v1.500M8 9a2.750 2.750 0 1 0 0-5.500A2.750 2.750 0 0 0 8 9Zm9 7.500v-1.500a3 3 0 0 0-2.200-2.900M12.800 3.700a2.750 2.750 0 0 1 0 5.200',
  person: 'M10 10a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM4 17c0-2.800 2.700-4.500 6-4.500s6 1.700 6 4.500',
  apps: 'M3.500 3.500h5v5h-5zM11.500 3.500h5v5h-5zM3.500 11.500h5v5h-5zM14 11.500v5m-2.500-2.500h5',
  settings: 'M3 6h8m4 0h2M3 14h2m4 0h8M13 4v4M7 12v4',
  globe:
    'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm0 0c2-1.800 3-4.200 3-7s-1-5.200-3-7c-2 1.800-3 4.200-3 7s1 5.200 3 7ZM3.300 8h13.400M3.300 12h13.400',
  mail: 'M3 5.500h14v9H3zM3 6l7 5 7-5',
  session: 'M3 4h14v9H3zM7 16.500h6M10 13v3.500',
  book: 'M10 5.500C8.500 4.300 6.500 4 3 4v11c3.500 0 5.500.300 7 1.500m0-11C11.500 4.300 13.500 4 17 4v11c-3.500 0-5.500.300-7 1.500m0-11v11',
  side: 'M3 4.500h14v11h-14zM8 4.500v11',
  menu: 'M3 5.500h14M3 10h14M3 14.500h14',
  close: 'm5 5 10 10M15 5 5 15',
  copy: 'M7 7h9.500v9.500H7zM4.500 13H3.500V3.500H13v1',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12Zm4.500-1.500L17 17',
  download: 'M10 3v10m0 0 4-4m-4 4-4-4M4 16.500h12',
  external: 'M11 4h5v5M16 4l-7 7M8 5H4v11h11v-4',
  out: 'M8 3.500H4v13h4M8.500 10H17m0 0-3.500-3.500M17 10l-3.500 3.500',
  back: 'M12 4 6 10l6 6',
  grip: 'M7.500 5h.01M7.500 10h.01M7.500 15h.01M12.500 5h.01M12.500 10h.01M12.500 15h.01',
  trash: 'M4 6h12M8 6V4h4v2M6 6l.700 10h6.600L14 6M8.500 9v4.500M11.500 9v4.500',
  down: 'm5 8 5 5 5-5',
  calendar: 'M3.500 5h13v11.500h-13zM3.500 8.500h13M7 3v3.500M13 3v3.500',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
} as const

export type IconName = keyof typeof PATHS

/** Decoration only: the text next to it has the meaning. */
export const Icon = ({ name, size = 18 }: { name: IconName; size?: number }) => (
  <svg class="icon" viewBox="0 0 20 20" width={size} height={size} aria-hidden="true">
    <path
      d={PATHS[name]}
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
)
