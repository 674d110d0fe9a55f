import type { GroupKind, KubeObject, Schema } from '@weft/api'
import { type ServedKind, servedKindOf, type ServedKinds } from '@weft/apiserver'
import { type CustomResourceDefinition, customResourceDefinitionKind, type InformerLease, type SharedInformers } from '@weft/client'
import {
  AGGREGATE_CLASS,
  applicationDefinitionKind,
  BINDING_DEFINITION,
  COMPOSITE_CLASS,
  flexibleClaimOf,
  infrastructureDefinitionKind,
  infrastructurePublicationKind,
  kindOnly,
  managedResourceDefinitionKind,
  readRow,
  requirementNames,
  RESOURCE_CLASS,
  sameKind,
  USAGE_KINDS,
} from '@weft/controllers'
import type { DefinedResources } from './webhook-configuration.ts'

/** What a real server serves, as far as admission asks: followed by watches, and answered from memory. */
export interface FollowedKinds extends ServedKinds {
  /** The resources that definitions define, and those that publications make of them, in order. */
  defined(): readonly DefinedResources[]
  /** The resources of claims, and of the typed classes that satisfy them, in order. */
  bound(): readonly DefinedResources[]
  /** Called when these may have changed. Answers how to end that. */
  onDefined(handler: () => void): () => void
  /** Resolves when all is known. */
  readonly synced: Promise<void>
  stop(): Promise<void>
}

export function followKinds(informers: SharedInformers): FollowedKinds {
  const definitions = informers.acquire({ kind: customResourceDefinitionKind })
  const composed = [infrastructureDefinitionKind, applicationDefinitionKind].map((kind) => ({ kind, lease: informers.acquire({ kind }) }))
  definitions.informer.addIndex(BY_KIND, ({ spec }) => [indexOf(spec.group, spec.names.kind)])
  const followed = (kind: GroupKind) => ({ kind, lease: informers.acquire<KubeObject>({ kind }) })
  // By kind alone, as the controllers of claims watch them: one watch serves both.
  const rows = followed(kindOnly(BINDING_DEFINITION))
  const flexible = [RESOURCE_CLASS, COMPOSITE_CLASS].map((kind) => followed(kindOnly(kind)))
  const listed = [
    followed(managedResourceDefinitionKind),
    followed(infrastructurePublicationKind),
    followed(kindOnly(AGGREGATE_CLASS)),
    rows,
    ...USAGE_KINDS.map((kind) => followed(kind)),
    ...flexible,
    ...composed,
  ]
  const known = new WeakMap<object, ServedKind>()
  const leases: readonly Pick<InformerLease, 'release'>[] = [definitions, ...listed.map(({ lease }) => lease)]
  return {
    find({ group, version, kind }) {
      const [definition] = definitions.informer.byIndex(BY_KIND, indexOf(group, kind))
      const served = definition?.spec.versions.find(({ name, served: isServed }) => name === version && isServed)
      if (definition === undefined || served === undefined) return undefined
      // Compiled once for each revision of a definition, and only for kinds that somebody asked about.
      let answer = known.get(served)
      if (answer === undefined) known.set(served, (answer = servedKindOf(schemaOf(served), factsOf(definition))))
      // Who controls a definition may change while its schema stays.
      return { ...answer, definition }
    },
    objects: (wanted) => listed.find(({ kind }) => sameKind(kind, wanted))?.lease.informer.list() ?? [],
    defined() {
      return byGroup(
        composed.flatMap(({ lease, kind }) =>
          lease.informer.list().flatMap(({ spec: { crdSpecTemplate } }) => {
            const { group, names } = crdSpecTemplate
            const offered = kind === infrastructureDefinitionKind ? [requirementNames(names).plural] : []
            return [names.plural, ...offered].map((plural) => ({ group, plural }))
          }),
        ),
      )
    },
    bound() {
      const kinds = [
        ...rows.lease.informer.list().flatMap((object) => {
          const row = readRow(object)
          return 'message' in row ? [] : [row.claim, row.class]
        }),
        ...flexible.flatMap(({ lease }) => lease.informer.list().flatMap((object) => flexibleClaimOf(object) ?? [])),
      ]
      // What is no custom kind has no claims; what is not served yet comes when its definition does.
      return byGroup(
        kinds.flatMap(({ group, kind }) => {
          const [definition] = definitions.informer.byIndex(BY_KIND, indexOf(group, kind))
          return definition === undefined ? [] : [{ group, plural: definition.spec.names.plural }]
        }),
      )
    },
    onDefined(handler) {
      const ends = [definitions, rows.lease, ...[...flexible, ...composed].map(({ lease }) => lease)].map(({ informer }) =>
        informer.subscribe(handler),
      )
      return () => ends.forEach((end) => end())
    },
    synced: Promise.all([definitions, ...listed.map(({ lease }) => lease)].map(({ informer }) => informer.synced)).then(() => undefined),
    async stop() {
      await Promise.all(leases.map((lease) => lease.release()))
    },
  }
}

function byGroup(resources: readonly { readonly group: string; readonly plural: string }[]): readonly DefinedResources[] {
  const plurals = new Map<string, Set<string>>()
  for (const { group, plural } of resources) plurals.set(group, (plurals.get(group) ?? new Set()).add(plural))
  return [...plurals].map(([group, all]) => ({ group, plurals: [...all].toSorted() })).toSorted((a, b) => (a.group < b.group ? -1 : 1))
}

const BY_KIND = 'weft-admission-kind'
const indexOf = (group: string, kind: string): string => `${group}/${kind}`

const factsOf = (definition: CustomResourceDefinition): Pick<ServedKind, 'namespaced' | 'plural' | 'definition'> => ({
  namespaced: definition.spec.scope === 'Namespaced',
  plural: definition.spec.names.plural,
  definition,
})

const schemaOf = (version: CustomResourceDefinition['spec']['versions'][number]): Schema | undefined =>
  (version['schema'] as { openAPIV3Schema?: Schema } | undefined)?.openAPIV3Schema
