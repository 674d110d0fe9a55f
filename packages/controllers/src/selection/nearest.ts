import { getOwn, type KubeObject } from '@weft/api'
import { describeObject } from '../binding/claimant.ts'

const SHOWN = 3

/**
 * Why no class was found, for a person: the classes that come nearest, and what is wrong with each. `candidates` are the classes of all
 * compatible kinds.
 */
export function explainNoMatch(wanted: Readonly<Record<string, string>>, candidates: readonly KubeObject[]): string {
  const labels = Object.keys(wanted).map((key) => `${key}=${wanted[key] ?? ''}`)
  const head = labels.length === 0 ? 'there is no class' : `no class has the labels ${labels.join(', ')}`
  if (candidates.length === 0) return `${head}: there are no classes for this kind of claim yet`
  const near = candidates
    .map((candidate) => ({ candidate, wrong: differences(wanted, candidate) }))
    .sort((a, b) => a.wrong.length - b.wrong.length || compare(describeObject(a.candidate), describeObject(b.candidate)))
    .slice(0, SHOWN)
    .map(({ candidate, wrong }) => `${describeObject(candidate)} (${wrong.join(', ')})`)
  return `${head}: the nearest ${near.length === 1 ? 'one is' : 'ones are'} ${near.join('; ')}`
}

function differences(wanted: Readonly<Record<string, string>>, { metadata }: KubeObject): readonly string[] {
  return Object.keys(wanted).flatMap((key) => {
    const has = getOwn(metadata.labels ?? {}, key)
    if (has === wanted[key]) return []
    return [typeof has === 'string' ? `${key} is ${has}` : `no ${key}`]
  })
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
