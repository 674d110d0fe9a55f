import { annotationOf, formatGroupKind, gvkOf, type KubeObject, parseGroupVersion, withMeta } from '@weft/api'
import type { ComposedTemplate } from '@weft/composition'
import { CONFIRM_DELETION, confirmedCount } from '../definition/confirm-deletion.ts'
import type { ComposedRef } from './members.ts'

/**
 * On a composite: the Composition that it is to be composed by from now on. A composite keeps its Composition for life otherwise. Taken off when
 * the move is done.
 */
export const MOVE_TO = 'weft.dev/move-to-composition'

/** Where a composite is to be moved to; undefined: nowhere. */
export const moveTarget = (composite: KubeObject): string | undefined => annotationOf(composite, MOVE_TO)

/** What a move does to the members: each template gets one that is there, where one of its kind is, in order; the others are left over. */
export interface Move {
  /** In the order of the templates; undefined: to be made. */
  readonly kept: readonly (ComposedRef | undefined)[]
  readonly dropped: readonly ComposedRef[]
}

export function planMove(templates: readonly ComposedTemplate[], known: readonly (ComposedRef | undefined)[]): Move {
  const left = known.filter((ref) => ref !== undefined)
  const kept = templates.map(({ base }) => {
    const i = left.findIndex((ref) => kindOf(ref) === formatGroupKind(gvkOf(base)))
    return i < 0 ? undefined : left.splice(i, 1)[0]
  })
  return { kept, dropped: left }
}

const kindOf = ({ apiVersion, kind }: ComposedRef): string => formatGroupKind({ group: parseGroupVersion(apiVersion).group, kind })

/** Why a move is not made: it would delete something, and nobody said that this is meant. Undefined: it is made. */
export function moveRefusal(composite: KubeObject, target: string, { dropped }: Move): string | undefined {
  if (dropped.length <= confirmedCount(composite)) return undefined
  const { kind, metadata } = composite
  const where = metadata.namespace === undefined ? '' : ` -n ${metadata.namespace}`
  const object = `${kind.toLowerCase()} ${metadata.name ?? ''}${where}`
  return (
    `not moved to Composition ${target}: it has no place for ${dropped.map((ref) => `${ref.kind}/${ref.name}`).join(', ')}, which would be deleted. ` +
    `To confirm: kubectl annotate ${object} ${CONFIRM_DELETION}=${dropped.length}. To stay: kubectl annotate ${object} ${MOVE_TO}-`
  )
}

/** The composite without what asked for the move. The same object when nothing did. */
export function withoutMove(composite: KubeObject): KubeObject {
  if (moveTarget(composite) === undefined) return composite
  const { [MOVE_TO]: _move, [CONFIRM_DELETION]: _confirmed, ...annotations } = composite.metadata.annotations ?? {}
  return withMeta(composite, { annotations })
}
