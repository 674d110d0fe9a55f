import type { Sample } from '@weft/api'

/** How much the counters of `name` grew. One that is smaller than before began anew; one that is gone says nothing. */
export function growth(before: readonly Sample[], after: readonly Sample[], name: string): number {
  const old = new Map(before.filter((sample) => sample.name === name).map((sample) => [keyOf(sample), sample.value]))
  let sum = 0
  for (const sample of after) {
    if (sample.name !== name) continue
    const earlier = old.get(keyOf(sample)) ?? 0
    sum += sample.value >= earlier ? sample.value - earlier : sample.value
  }
  return sum
}

export function total(samples: readonly Sample[], name: string): number {
  return samples.reduce((sum, sample) => (sample.name === name ? sum + sample.value : sum), 0)
}

const keyOf = ({ labels }: Sample): string => JSON.stringify(labels)
