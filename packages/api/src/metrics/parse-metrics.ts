/** One line of Prometheus' text format. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Reads the text format; lines that are none, and metrics that are not wanted, are left out. */
export function parseMetrics(text: string, isWanted: (name: string) => boolean = () => true): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/.exec(line)
    if (match === null || !isWanted(match[1] ?? '')) return []
    const [, name = '', labels = '', value = ''] = match
    return [{ name, labels: labelsOf(labels), value: value === '+Inf' ? Infinity : value === '-Inf' ? -Infinity : Number(value) }]
  })
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g))
    labels[name] = value.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))
  return labels
}

/** The value of a metric without labels. */
export const singleValue = (samples: readonly Sample[], name: string): number | undefined =>
  samples.find((sample) => sample.name === name)?.value
