import { formatGroupVersion, getOwn, type GroupVersionKind, isJsonObject, type KubeObject, specOf, SYSTEM_NAMESPACE } from '@weft/api'
import { bindableAnnotation, claimLabels, isBindableBy, specTemplateOf } from '@weft/composition'
import { AGGREGATE_FINALIZER, COMPOSITE_FINALIZER } from '../binding/finalizers.ts'
import { type ClaimantField, referenceTo } from '../binding/claimant.ts'
import { matchLabelsOf } from '../binding/spec-reference.ts'
import { AGGREGATE, COMPOSITE } from '../bindings-table/well-known.ts'
import { type MemberTemplate, typedTemplate, flexibleTemplates } from '../claim/class-source.ts'
import { kindOf } from '../claim/served-kinds.ts'
import type { KnownClasses } from '../claim/services.ts'
import { aggregatedClasses } from '../selection/aggregated-classes.ts'

/**
 * What tells the groups of seed 000 from those of seed 001. Everything else about groups is the same, and is in the binder.
 */
export interface GroupKindAdapter {
  readonly gvk: GroupVersionKind
  readonly finalizer: string
  /** The field of members that names their group. */
  readonly memberRef: ClaimantField & ('aggregateRef' | 'compositeRef')
  /** The field of status that lists the members. */
  readonly ledger: 'aggregatedResources' | 'resources'
  /**
   * Templates that come later join (000: a class that is labelled later is aggregated too), or the list is settled when the group is made (F19).
   */
  readonly grows: boolean
  /** A9: do members name the class that they were made from? */
  readonly membersHaveClass: boolean
  /** The members that the class makes for the claim. Undefined: nothing that makes sense for it, so nothing is done at all (A11c). */
  templates(services: KnownClasses, claim: KubeObject, classObject: KubeObject): readonly MemberTemplate[] | undefined
  /** The group for a claim. */
  create(claim: KubeObject, classObject: KubeObject, name: string): KubeObject
  selectorOf(group: KubeObject): Readonly<Record<string, string>>
  /** Static groups: may claims of this kind have it? Undefined where its members decide (A11a). */
  isBindable(group: KubeObject, claim: KubeObject): boolean | undefined
}

/** Seed 000. */
export const AGGREGATES: GroupKindAdapter = {
  gvk: AGGREGATE,
  finalizer: AGGREGATE_FINALIZER,
  memberRef: 'aggregateRef',
  ledger: 'aggregatedResources',
  grows: true,
  membersHaveClass: true,
  templates(services, claim, classObject) {
    const classes = aggregatedClasses(services, kindOf(claim), classObject)
    return classes.some(({ row }) => row.direct) ? classes.map((each) => typedTemplate(claim, each.classObject, each.row)) : undefined
  },
  create(claim, classObject, name) {
    const template = specTemplateOf(classObject)
    const namespace = getOwn(template, 'writeConnectionSecretsToNamespace')
    const policy = getOwn(template, 'reclaimPolicy')
    return group(AGGREGATES, claim, name, {
      aggregationRule: { resourceSelector: { matchLabels: claimLabels(claim) } },
      claimRef: referenceTo(claim),
      classRef: referenceTo(classObject),
      ...(typeof namespace === 'string' && namespace !== '' && { writeConnectionSecretsToRef: { namespace, name: claim.metadata.uid } }),
      reclaimPolicy: policy === 'Retain' ? 'Retain' : 'Delete',
    })
  },
  selectorOf(object) {
    const rule = specOf(object)['aggregationRule']
    return (isJsonObject(rule) ? matchLabelsOf(getOwn(rule, 'resourceSelector')) : undefined) ?? {}
  },
  isBindable: () => undefined,
}

/** Seed 001. */
export const COMPOSITES: GroupKindAdapter = {
  gvk: COMPOSITE,
  finalizer: COMPOSITE_FINALIZER,
  memberRef: 'compositeRef',
  ledger: 'resources',
  grows: false,
  membersHaveClass: false,
  templates: (_services, claim, classObject) => flexibleTemplates(claim, classObject),
  create(claim, classObject, name) {
    const made = group(COMPOSITES, claim, name, {
      resourceSelector: { matchLabels: claimLabels(claim) },
      claimRef: referenceTo(claim),
      classRef: referenceTo(classObject),
      writeConnectionSecretsToRef: { namespace: SYSTEM_NAMESPACE, name: claim.metadata.uid },
    })
    return { ...made, metadata: { ...made.metadata, annotations: bindableAnnotation(claim) } }
  },
  selectorOf: (object) => matchLabelsOf(specOf(object)['resourceSelector']) ?? {},
  isBindable: isBindableBy,
}

/** Labelled with its claim, as members are: what was made for a claim is found by that. */
const group = ({ gvk, finalizer }: GroupKindAdapter, claim: KubeObject, name: string, spec: object): KubeObject => ({
  apiVersion: formatGroupVersion(gvk),
  kind: gvk.kind,
  metadata: { name, labels: claimLabels(claim), finalizers: [finalizer] },
  spec,
})
