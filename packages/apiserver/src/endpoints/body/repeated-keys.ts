import { type Event, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, type ScalarEvent } from 'js-yaml'

/** The words are sent to whoever wrote the document; nobody reads more. */
const MAX_LINES = 100

interface Open {
  /** Undefined for a sequence, or a document. */
  readonly seen: Set<string> | undefined
  /** Where it begins. */
  readonly start: number
  /** Of the pair that is being read. */
  key: string | undefined
}

/**
 * The keys that YAML text repeats within a mapping, in the words of Kubernetes' parser: one problem with a line for each. It counts a key as
 * repeated once it has read the value, and names the line on which that value begins.
 */
export function repeatedKeys(text: string): readonly string[] {
  const lines: string[] = []
  const open: Open[] = []
  const lineAt = lineCounter(text)
  let last = 0
  const complete = (start: number, key: string): void => {
    const parent = open.at(-1)
    if (parent?.seen === undefined) return
    if (parent.key === undefined) {
      parent.key = key
      return
    }
    if (!parent.seen.has(parent.key)) parent.seen.add(parent.key)
    else if (lines.length < MAX_LINES) lines.push(`  line ${lineAt(start)}: key ${parent.key} already set in map`)
    parent.key = undefined
  }
  for (const event of parseEvents(text, {})) {
    if (event.type === EVENT_ID.POP) {
      const closed = open.pop()
      if (closed !== undefined) complete(closed.start, '')
      continue
    }
    // A value that is not there begins where its key ends.
    const start = startOf(event) ?? last
    last = Math.max(last, start)
    if (event.type === EVENT_ID.SCALAR) complete(start, keyOf(text, event))
    else if (event.type === EVENT_ID.ALIAS) complete(start, '')
    else open.push({ seen: event.type === EVENT_ID.MAPPING ? new Set() : undefined, start, key: undefined })
  }
  return lines.length === 0 ? [] : [`yaml: unmarshal errors:\n${lines.join('\n')}`]
}

function startOf(event: Event): number | undefined {
  const starts = Object.entries(event).flatMap(([name, value]) =>
    /[sS]tart$/.test(name) && typeof value === 'number' && value >= 0 ? [value] : [],
  )
  return starts.length === 0 ? undefined : Math.min(...starts)
}

/** As Go prints it: text in quotes, numbers as they are. */
function keyOf(text: string, event: ScalarEvent): string {
  const value = getScalarValue(text, event)
  return event.style === SCALAR_STYLE.PLAIN && /^[-+]?[0-9]+$/.test(value) ? value : JSON.stringify(value)
}

/** The line of an offset, counted from one. */
function lineCounter(text: string): (offset: number) => number {
  const ends: number[] = []
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) ends.push(i)
  return (offset) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] as number) < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}
