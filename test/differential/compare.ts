/** Where two normalised values differ, one line per place: `path: ours ≠ theirs`. */
export interface Difference {
  readonly path: string
  readonly weft: unknown
  readonly kubernetes: unknown
}

export function differences(weft: unknown, kubernetes: unknown, path = ''): Difference[] {
  if (Object.is(weft, kubernetes)) return []
  if (isObject(weft) && isObject(kubernetes)) {
    const keys = new Set([...Object.keys(weft), ...Object.keys(kubernetes)])
    return [...keys].sort().flatMap((key) => differences(weft[key], kubernetes[key], `${path}.${key}`))
  }
  if (Array.isArray(weft) && Array.isArray(kubernetes)) {
    const length = Math.max(weft.length, kubernetes.length)
    return Array.from({ length }, (_, i) => differences(weft[i], kubernetes[i], `${path}[${i}]`)).flat()
  }
  return [{ path, weft, kubernetes }]
}

export const formatDifference = ({ path, weft, kubernetes }: Difference): string =>
  `  ${path}\n      weft       ${show(weft)}\n      kubernetes ${show(kubernetes)}`

const show = (value: unknown): string => (value === undefined ? '(absent)' : JSON.stringify(value))

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
