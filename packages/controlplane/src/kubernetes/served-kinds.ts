import type { Schema } from '@weft/api'
import { type ServedKind, servedKindOf, type ServedKinds } from '@weft/apiserver'
import { type CustomResourceDefinition, customResourceDefinitionKind, type InformerLease, type SharedInformers } from '@weft/client'
import {
  applicationDefinitionKind,
  infrastructureDefinitionKind,
  infrastructurePublicationKind,
  managedResourceDefinitionKind,
  requirementNames,
} from '@weft/controllers'
import type { DefinedResources } from './webhook-configuration.ts'

/** What a real server serves, as far as admission asks: followed by watches, and answered from memory. */
export interface FollowedKinds extends ServedKinds {
  /** The resources that definitions define, and those that publications make of them, in order. */
  defined(): readonly DefinedResources[]
  /** Called when they may have changed. Answers how to end that. */
  onDefined(handler: () => void): () => void
  /** Resolves when all is known. */
  readonly synced: Promise<void>
  stop(): Promise<void>
}

export function followKinds(informers: SharedInformers): FollowedKinds {
  const definitions = informers.acquire({ kind: customResourceDefinitionKind })
  const composed = [infrastructureDefinitionKind, applicationDefinitionKind].map((kind) => ({ kind, lease: informers.acquire({ kind }) }))
  definitions.informer.addIndex(BY_KIND, ({ spec }) => [indexOf(spec.group, spec.names.kind)])
  const listed = [
    { kind: managedResourceDefinitionKind, lease: informers.acquire({ kind: managedResourceDefinitionKind }) },
    { kind: infrastructurePublicationKind, lease: informers.acquire({ kind: infrastructurePublicationKind }) },
  ]
  const known = new WeakMap<object, ServedKind>()
  const leases: readonly Pick<InformerLease, 'release'>[] = [definitions, ...[...listed, ...composed].map(({ lease }) => lease)]
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
    objects: ({ kind }) => [...listed, ...composed].find((each) => each.kind.kind === kind)?.lease.informer.list() ?? [],
    defined() {
      const plurals = new Map<string, Set<string>>()
      for (const { lease, kind } of composed)
        for (const { spec } of lease.informer.list()) {
          const { group, names } = spec.crdSpecTemplate
          const known = plurals.get(group) ?? new Set()
          plurals.set(group, known.add(names.plural))
          if (kind === infrastructureDefinitionKind) known.add(requirementNames(names).plural)
        }
      return [...plurals].map(([group, all]) => ({ group, plurals: [...all].toSorted() })).toSorted((a, b) => (a.group < b.group ? -1 : 1))
    },
    onDefined(handler) {
      const ends = composed.map(({ lease }) => lease.informer.subscribe(handler))
      return () => ends.forEach((end) => end())
    },
    synced: Promise.all([definitions.informer.synced, ...composed.map(({ lease }) => lease.informer.synced)]).then(() => undefined),
    async stop() {
      await Promise.all(leases.map((lease) => lease.release()))
    },
  }
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
