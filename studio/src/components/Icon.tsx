// Drawings of 16 by 16, as paths: nothing to load, and the colour of the text around them.

const PATHS = {
  agents: ['M8 1.8 13.4 4.9v6.2L8 14.2 2.6 11.1V4.9z', 'M6 8a2 2 0 1 0 4 0 2 2 0 1 0-4 0'],
  library: ['M2.1 2.5h3v11h-3zM5.1 2.5h3v11h-3zM8.5 3.2l2.9-.7 2.5 10.6-2.9.7z'],
  memory: ['M4 2h8v12l-4-3-4 3z'],
  sessions: ['M2 8a6 6 0 1 0 12 0A6 6 0 1 0 2 8', 'M6.6 5.6v4.8L10.4 8z'],
  registry: ['M2.2 5 8 2l5.8 3v6L8 14l-5.8-3zM2.2 5 8 8l5.8-3M8 8v6'],
  sync: ['M13.5 6.5A5.7 5.7 0 0 0 3.2 5M2.5 9.5A5.7 5.7 0 0 0 12.8 11M3 2v3h3M13 14v-3h-3'],
  proposals: ['M3 3h10v7.500H8L4.500 13.500v-3H3z', 'M5.500 6.700 7.200 8.400 10.500 5'],
  log: ['M3 4h10M3 8h10M3 12h6'],
  settings: ['M2.5 5h5M11.5 5h2M2.5 11h2M8.5 11h5', 'M7.5 5a2 2 0 1 0 4 0 2 2 0 1 0-4 0M4.5 11a2 2 0 1 0 4 0 2 2 0 1 0-4 0'],
  chain: ['M6.5 9.5 9.5 6.5M7 4.5l1.5-1.5a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3.2 3.2 0 0 1 3 8.5L4.5 7'],
  search: ['M2.5 7a4.5 4.5 0 1 0 9 0 4.5 4.5 0 1 0-9 0', 'm10.5 10.5 3.5 3.5'],
  moon: ['M13 9.500A5.5 5.5 0 1 1 6.5 3a4.5 4.5 0 0 0 6.5 6.500z'],
  sun: ['M5.500 8a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0', 'M8 1.500v1.500M8 13v1.500M1.500 8H3M13 8h1.500M3.400 3.400l1 1M11.600 11.600l1 1M3.400 12.600l1-1M11.600 4.400l1-1'],
  plus: ['M8 3v10M3 8h10'],
  warn: ['M8 2.5 14.3 13.5H1.7z', 'M8 6.5v3M8 11.5h.01'],
  error: ['M2 8a6 6 0 1 0 12 0A6 6 0 1 0 2 8', 'M8 5v3.500M8 11h.01'],
  info: ['M2 8a6 6 0 1 0 12 0A6 6 0 1 0 2 8', 'M8 7.500V11M8 5h.01'],
  more: ['M3.5 8h.01M8 8h.01M12.5 8h.01'],
  right: ['m6 3.5 4.5 4.500L6 12.5'],
  down: ['m3.5 6 4.5 4.500L12.5 6'],
  merge: ['M8 14V9M8 9 4 5M8 9l4-4M4 8V5h3M12 8V5H9'],
  check: ['m3 8.5 3.2 3.200L13 5'],
  back: ['M3 6.500h6.500a3.5 3.5 0 0 1 0 7H6M3 6.5 6 3.500M3 6.500l3 3'],
  lock: ['M5 7h6a1.500 1.500 0 0 1 1.500 1.500V12a1.500 1.500 0 0 1-1.500 1.500H5A1.500 1.500 0 0 1 3.500 12V8.500A1.500 1.500 0 0 1 5 7z', 'M5.5 7V5a2.5 2.5 0 0 1 5 0v2'],
  copy: ['M7 5.500h5A1.500 1.500 0 0 1 13.500 7v5a1.500 1.500 0 0 1-1.500 1.500H7A1.500 1.500 0 0 1 5.500 12V7A1.500 1.500 0 0 1 7 5.500z', 'M10.5 3.500v-1h-8v8h1'],
  arrow: ['M3 8h10M9.5 4.5 13 8l-3.5 3.5'],
  eye: ['M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z', 'M6 8a2 2 0 1 0 4 0 2 2 0 1 0-4 0'],
  shield: ['M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z'],
  key: ['M2.500 11a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0', 'm7 9 6-6M11 5l1.5 1.5'],
  tool: ['M10.5 2.500a3.5 3.5 0 0 0-3.3 4.700L2.5 12l1.5 1.5 4.8-4.700a3.5 3.5 0 0 0 4.7-4.300l-2 2-2-2z'],
  hook: ['M9 2 4 9h4l-1 5 5-7H8z'],
  file: ['M4 2h5.500L12 4.500V14H4z', 'M6.5 8h3M6.5 11h3'],
  close: ['m4 4 8 8M12 4l-8 8'],
  bin: ['M3 4.500h10M6.500 4.500v-2h3v2M4.500 4.500l.5 9h6l.5-9'],
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, tone }: { name: IconName; tone?: 'error' | 'warn' | 'ok' | 'accent' }) {
  return (
    <svg class={tone ? `ic is-${tone}` : 'ic'} viewBox="0 0 16 16" aria-hidden="true">
      {PATHS[name].map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
  );
}

const LEAF = 'M0 -2.4C2.4 -5 2.4 -7.8 0 -10.4C-2.4 -7.8 -2.4 -5 0 -2.4Z';

/** The mark of the product. */
export function Mark() {
  return (
    <svg viewBox="-16 -16 32 32" width="24" height="24" aria-hidden="true">
      <polygon
        points="0,-14.5 12.56,-7.25 12.56,7.25 0,14.5 -12.56,7.25 -12.56,-7.25"
        fill="none"
        stroke="currentColor"
        stroke-width="1.6"
        stroke-linejoin="round"
      />
      {[0, 60, 120, 180, 240, 300].map((turn) => (
        <path key={turn} transform={`rotate(${turn})`} d={LEAF} fill="currentColor" />
      ))}
    </svg>
  );
}
