import { compareText, formatLabelSelector, getOwn, type KubeObject, type LabelRequirement, matchesRequirement } from '@weft/api'
import { describeObject } from '../binding/claimant.ts'

const SHOWN = 3

/**
 * Why no class was found, for a person: the classes that come nearest, and what is wrong with each. `candidates` are the classes of all
 * compatible kinds; one that meets nothing of what is wanted is not near.
 */
export function explainNoMatch(wanted: readonly LabelRequirement[], candidates: readonly KubeObject[]): string {
  const head = `no class has the labels ${formatLabelSelector(wanted).replaceAll(',', ', ')}`
  if (candidates.length === 0) return `${head}: there are no classes for this kind of claim yet`
  const near = candidates
    .map((candidate) => ({ candidate, wrong: differences(wanted, candidate) }))
    .filter(({ wrong }) => wrong.length < wanted.length || wrong.some(({ isOther }) => isOther))
    .sort((a, b) => a.wrong.length - b.wrong.length || compareText(describeObject(a.candidate), describeObject(b.candidate)))
    .slice(0, SHOWN)
    .map(({ candidate, wrong }) => `${describeObject(candidate)} (${wrong.map(({ text }) => text).join(', ')})`)
  if (near.length === 0)
    return `${head}: ${candidates.length === 1 ? 'the only class for this kind of claim has none' : `none of the ${candidates.length} classes for this kind of claim has any`} of them`
  return `${head}: the nearest ${near.length === 1 ? 'one is' : 'ones are'} ${near.join('; ')}`
}

interface Difference {
  readonly text: string
  /** It has the label, with another value. */
  readonly isOther: boolean
}

function differences(wanted: readonly LabelRequirement[], { metadata }: KubeObject): readonly Difference[] {
  return wanted.flatMap((requirement) => {
    if (matchesRequirement(requirement, metadata.labels)) return []
    const { key } = requirement
    const has = getOwn(metadata.labels ?? {}, key)
    return [typeof has === 'string' ? { text: `${key} is ${has}`, isOther: true } : { text: `no ${key}`, isOther: false }]
  })
}
