const UNITS = ['B', 'KiB', 'MiB', 'GiB']

/** `512 B`, `1.5 MiB`, `120 MiB`: three digits are enough for people. */
export function formatSize(bytes: number): string {
  let [size, unit] = [bytes, 0]
  while (size >= 1024 && unit < UNITS.length - 1) [size, unit] = [size / 1024, unit + 1]
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit] ?? ''}`
}
