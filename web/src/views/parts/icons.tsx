/** Line icons, drawn for this page on a field of 24 by 24. Screen readers skip them, since the button has a label. */
import './icons.css'

const strokes = {
  undo: 'M9 7H4V2M4 7c2-3 5-4 8-4a9 9 0 1 1-8.5 12',
  redo: 'M15 7h5V2M20 7c-2-3-5-4-8-4a9 9 0 1 0 8.5 12',
  pencil: 'M4 20l1-5L16 4l4 4L9 19zM13.5 6.5l4 4',
  rectangle: 'M4 6h16v12H4z',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  eraser: 'M9 20h11M4 15l9-10 7 6-8 9H8zM8.5 10l7 6',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  cross: 'M6 6l12 12M18 6L6 18',
  check: 'M5 13l4.5 4.5L19 7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  share: 'M12 15V3M8 7l4-4 4 4M7 11H5v10h14V11h-2',
  download: 'M12 4v11M7.5 10.5L12 15l4.5-4.5M4 20h16',
  upload: 'M12 15V4M7.5 8.5L12 4l4.5 4.5M4 20h16',
  open: 'M3 19V5h6l2 3h9v3M3 19l3-8h16l-3 8z',
  print: 'M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z',
  play: 'M7 4l13 8-13 8z',
  pause: 'M8 5v14M16 5v14',
  dice: 'M4 4h16v16H4zM8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  system: 'M3 5h18v11H3zM9 20h6M12 16v4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  first: 'M18 5l-7 7 7 7M7 5v14',
  last: 'M6 5l7 7-7 7M17 5v14',
  up: 'M5 15l7-7 7 7',
  down: 'M5 9l7 7 7-7',
  pin: 'M9 3h6l-1 6 4 4H6l4-4zM12 13v8',
  ban: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM5.8 5.8l12.4 12.4',
  help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5c0-3.5 5-3.5 5 0 0 2-2.5 2-2.5 4.300M12 17h.01',
  key: 'M8 11a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM11.5 12.500L20 4M16 8l3 3',
  gallery: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  count: 'M9 4L7 20M17 4l-2 16M4 9h17M3 15h17',
  look: 'M2 12c5-9 15-9 20 0-5 9-15 9-20 0zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  puzzle: 'M4 8.500h5.500a2.600 2.600 0 1 1 4 0H18v4.200a2.400 2.400 0 1 1 0 3.800V21H4z',
  jobs: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2.5',
  rotate: 'M19 6v5h-5M19 11a7.5 7.5 0 1 0 .5 4',
  flip: 'M12 3v18M9 7v10H3zM15 7v10h6z',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  trash: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
} as const

export type IconName = keyof typeof strokes

export const iconNames = Object.keys(strokes) as IconName[]

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={strokes[name]} />
    </svg>
  )
}
