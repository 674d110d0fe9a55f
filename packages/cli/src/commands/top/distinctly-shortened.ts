/**
 * Names in no more than `room` characters each, in the same order; those that differ still do, if there is room for that at all. A long name loses its
 * middle first; where the middle is what tells it from another, what both have in common is lost instead: `requirement/…large…example.org`.
 */
export function distinctlyShortened(names: readonly string[], room: number): readonly string[] {
  const byShort = new Map<string, Set<string>>()
  for (const name of names) {
    const short = withoutMiddle(name, room)
    byShort.set(short, (byShort.get(short) ?? new Set()).add(name))
  }
  const shown = new Map<string, string>()
  for (const [short, alike] of byShort)
    for (const [name, text] of alike.size === 1 ? [...alike].map((name) => [name, short] as const) : aroundDifference([...alike], room))
      shown.set(name, text)
  return names.map((name) => shown.get(name) ?? name)
}

function withoutMiddle(name: string, room: number): string {
  if (name.length <= room) return name
  const head = Math.ceil((room - 1) / 2)
  return `${name.slice(0, head)}…${name.slice(name.length - (room - 1 - head))}`
}

/** The least that is shown of what the names have in common, at each end. */
const HINT = 3

/** Of names that would look alike: what differs, and of what they have in common as much as there is room for. */
function aroundDifference(names: readonly string[], room: number): readonly (readonly [name: string, text: string])[] {
  const prefix = commonPrefix(names)
  const suffix = commonPrefix(names.map((name) => reversed(name.slice(prefix))))
  const middles = names.map((name) => name.slice(prefix, name.length - suffix))
  const most = room - 2 - 2 * HINT
  const longest = Math.min(most, Math.max(...middles.map(({ length }) => length)))
  // Here the names differ at both ends of the middle, so that it is its own middle that can go.
  const differing = most > 0 ? middles.map((middle) => withoutMiddle(middle, most)) : middles
  const spare = room - 2 - longest
  const tail = Math.min(suffix, Math.floor(spare / 2))
  const head = Math.min(prefix, spare - tail)
  return names.map((name, i) => [
    name,
    `${name.slice(0, head)}${head < prefix ? '…' : ''}${differing[i] ?? ''}${tail < suffix ? '…' : ''}${name.slice(name.length - tail)}`.slice(
      0,
      room,
    ),
  ])
}

function commonPrefix(names: readonly string[]): number {
  const [first = '', ...others] = names
  let length = 0
  while (length < first.length && others.every((other) => other[length] === first[length])) length++
  return length
}

const reversed = (text: string): string => [...text].reverse().join('')
