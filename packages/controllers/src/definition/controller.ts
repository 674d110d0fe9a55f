import { type KubeObject } from '@weft/api'
import { type Change, type CustomResourceDefinition, customResourceDefinitionKind } from '@weft/client'
import { conditionOf, conditionsOf } from '@weft/composition'
import { type ControllerSpec, specOrMetadataChanged, toOwner, watch } from '@weft/runtime'
import type { DefinitionAdapter } from './definition.ts'
import { reconcileDefinition } from './reconcile.ts'
import type { DefinitionServices } from './services.ts'

/** The controller of one kind of definition: one watch on the definitions and the shared one on CustomResourceDefinitions, whatever their number. */
export function definitionController<D extends KubeObject>(adapter: DefinitionAdapter<D>, services: DefinitionServices): ControllerSpec<D> {
  return {
    name: adapter.component,
    kind: adapter.kind,
    // Its own status is written by nobody else.
    predicate: specOrMetadataChanged,
    watches: [
      watch<CustomResourceDefinition, D>({ kind: customResourceDefinitionKind, predicate: matters, map: toOwner(adapter.kind) }),
      ...(adapter.watches ?? []),
    ],
    reconcile: reconcileDefinition(adapter, services),
    // In this process many writes share one commit.
    concurrency: services.client.transport.local === true ? 32 : 8,
    backoff: { baseMs: 50, maxMs: 30_000 },
  }
}

/** A CustomResourceDefinition changes its status several times on its way; only what decides counts. */
function matters(change: Change<CustomResourceDefinition>): boolean {
  if (change.type === 'deleted') return true
  // One that was just made: what the server says of it comes next.
  if (change.type === 'added') return conditionsOf(change.object).length > 0
  const { object, previous } = change
  return (
    object.metadata.generation !== previous.metadata.generation ||
    object.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp ||
    statusOf(object, 'Established') !== statusOf(previous, 'Established') ||
    statusOf(object, 'NamesAccepted') !== statusOf(previous, 'NamesAccepted')
  )
}

const statusOf = (crd: CustomResourceDefinition, type: string): string | undefined => conditionOf(crd, type)?.status
