import { getOwn, gvkOf, isJsonObject, type KubeObject, parseGroupVersion } from '@weft/api'
import { type ComposedTemplate, machineryOf } from '@weft/composition'
import { CompositeError } from './composite-error.ts'
import type { CompositeType } from './composite-type.ts'

export interface ComposedRef {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
}

export interface Member {
  readonly template: ComposedTemplate
  readonly ref: ComposedRef
}

export interface MemberPlan {
  readonly members: readonly Member[]
  readonly refs: readonly ComposedRef[]
  /** Names that are new and must be written down before anything is created (X2). */
  readonly changed: boolean
}

/** `composedRefs` as they are; entries that say nothing count as empty places. */
export function composedRefsOf(composite: KubeObject, { place }: CompositeType): readonly (ComposedRef | undefined)[] {
  const refs = getOwn(machineryOf(composite, place), 'composedRefs')
  return (Array.isArray(refs) ? refs : []).map((ref: unknown) => {
    if (!isJsonObject(ref)) return undefined
    const [apiVersion, kind, name] = ['apiVersion', 'kind', 'name'].map((part) => getOwn(ref, part))
    return typeof apiVersion === 'string' && typeof kind === 'string' && typeof name === 'string' && name !== ''
      ? { apiVersion, kind, name }
      : undefined
  })
}

/**
 * Matches templates to references by position, and names those that have none yet. A reference to another kind means that the Composition is not
 * the one that this was composed by; composing over it would lose what is there.
 */
export async function planMembers(
  templates: readonly ComposedTemplate[],
  known: readonly (ComposedRef | undefined)[],
  nameFor: (template: ComposedTemplate) => string | Promise<string>,
): Promise<MemberPlan> {
  let changed = false
  const refs: ComposedRef[] = []
  for (const [i, template] of templates.entries()) {
    const { apiVersion, kind } = template.base
    const ref = known[i]
    if (ref !== undefined && (ref.kind !== kind || parseGroupVersion(ref.apiVersion).group !== gvkOf(template.base).group))
      throw new CompositeError(
        'MemberRefused',
        `composedRefs[${i}] is ${ref.kind} ${ref.name}, but ${template.origin} of the Composition creates a ${kind}`,
      )
    if (ref === undefined || ref.apiVersion !== apiVersion) changed = true
    refs.push({ apiVersion, kind, name: ref?.name ?? (await nameFor(template)) })
  }
  // C4: what a template no longer makes is not collected; its reference stays, so that it can be found.
  const dropped = known.slice(templates.length).filter((ref) => ref !== undefined)
  return { members: templates.map((template, i) => ({ template, ref: refs[i] as ComposedRef })), refs: [...refs, ...dropped], changed }
}
