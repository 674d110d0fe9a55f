import { type GroupKind, type KubeObject } from '@weft/api'
import { flexibleClaimOf } from '../bindings-table/table.ts'
import { AGGREGATE_CLASS, COMPOSITE_CLASS, RESOURCE_CLASS, sameKind } from '../bindings-table/well-known.ts'
import { aggregatedClasses } from './aggregated-classes.ts'
import { answers } from './eligible.ts'
import { explainNoMatch } from './explain-no-match.ts'
import { wishOf } from '../claim/wish.ts'
import { kindOf } from '../claim/served-kinds.ts'
import type { KnownClasses } from '../claim/services.ts'

/**
 * Why nobody has decided about a claim, in one sentence; undefined when somebody is about to. No scheduler can say it, for none sees more than its own
 * kind of class; this only reads.
 */
export function explainUndecided(services: KnownClasses, claim: KubeObject): string | undefined {
  const wish = wishOf(claim)
  if (wish.type === 'unclear') return wish.why
  const classes = compatibleClasses(services, kindOf(claim))
  const answering = classes.filter((each) => answers(each, wish))
  if (answering.some((each) => !sameKind(kindOf(each), AGGREGATE_CLASS) || standsForDirect(services, kindOf(claim), each))) return undefined
  const [useless] = answering
  if (useless !== undefined) return standsForNothing(useless, claim)
  if (wish.type === 'selector') return explainNoMatch(wish.requirements, classes)
  return 'there is no default class for this kind of claim: set spec.classRef or spec.classSelector, or mark a class as the default'
}

export const standsForNothing = ({ kind, metadata }: KubeObject, claim: KubeObject): string =>
  `${kind} ${metadata.name ?? ''} includes no class that could satisfy a ${claim.kind}`

/** A11b: could a claim of this kind be satisfied directly from a class that the aggregate stands for? */
export const standsForDirect = (services: KnownClasses, claim: GroupKind, aggregateClass: KubeObject): boolean =>
  aggregatedClasses(services, claim, aggregateClass).some(({ row }) => row.direct)

/** The classes of all kinds that claims of this kind may choose from. */
export function compatibleClasses({ table, watches }: KnownClasses, claim: GroupKind): readonly KubeObject[] {
  return table()
    .tuples.filter((tuple) => sameKind(tuple.claim, claim))
    .flatMap((tuple) => {
      const all = watches.reader(tuple.class)?.list() ?? []
      const flexible = sameKind(tuple.class, RESOURCE_CLASS) || sameKind(tuple.class, COMPOSITE_CLASS)
      return flexible ? all.filter((each) => isFor(each, claim)) : all
    })
}

/** F3. */
export function isFor(classObject: KubeObject, claim: GroupKind): boolean {
  const wanted = flexibleClaimOf(classObject)
  return wanted !== undefined && sameKind(wanted, claim)
}
