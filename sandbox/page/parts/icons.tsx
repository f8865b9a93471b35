/** The paths of each icon, on a square of 16. */
const PATHS = {
  send: ['M14 2 7 9', 'M14 2 9.5 14 7 9 2 6.5Z'],
  edit: ['M10.5 2.5 13.5 5.5 5.5 13.5H2.5V10.5Z', 'M8.5 4.5 11.5 7.5'],
  target: [
    'M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5',
    'M8 5.25a2.75 2.75 0 1 0 0 5.5a2.75 2.75 0 1 0 0-5.5',
  ],
  shield: ['M8 1.75 13 3.75V8c0 3-2.2 5.2-5 6.25C5.2 13.2 3 11 3 8V3.75Z', 'M5.75 8 7.4 9.65 10.5 6.5'],
  coin: ['M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5', 'M8 4.75v6.5', 'M6 6.5h4', 'M6 9.5h4'],
  sliders: ['M2 5h6', 'M12 5h2', 'M10 3v4', 'M2 11h2', 'M8 11h6', 'M6 9v4'],
  search: ['M7 2.25a4.75 4.75 0 1 0 0 9.5a4.75 4.75 0 1 0 0-9.5', 'M10.5 10.5 14 14'],
  close: ['M3.5 3.5 12.5 12.5', 'M12.5 3.5 3.5 12.5'],
  copy: ['M5.75 5.75h8v8h-8Z', 'M10.25 5.75v-3.5h-8v8h3.5'],
  check: ['M2.75 8.5 6.25 12 13.25 4.5'],
  menu: ['M2 4h12', 'M2 8h12', 'M2 12h12'],
  again: ['M13.25 8A5.25 5.25 0 1 1 11.5 4.1', 'M13.5 1.75v3h-3'],
  clock: ['M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5', 'M8 4.5V8l2.5 1.5'],
  warning: ['M8 2 14.5 13.5H1.5Z', 'M8 6.5v3.25', 'M8 11.6v.01'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type IconName = keyof typeof PATHS

/** A small drawing next to a word; it is hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      {PATHS[name].map((path) => (
        <path d={path} />
      ))}
    </svg>
  )
}
