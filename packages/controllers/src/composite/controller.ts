import { deepEqual, findCondition, type KubeObject } from '@weft/api'
import type { Change } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import {
  annotationsChanged,
  anyOf,
  type ControllerSpec,
  deletionChanged,
  generationChanged,
  labelsChanged,
  type Request,
  watch,
} from '@weft/runtime'
import type { DefinedKind } from '../definition/definition.ts'
import { compositionKind } from '../definition/kinds.ts'
import type { DefinitionServices } from '../definition/services.ts'
import { MemberApplier } from './apply-member.ts'
import { isFor } from './composition-source.ts'
import type { KindIndex } from './kind-index.ts'
import type { CompositeType } from './place.ts'
import { composedBy } from './record.ts'
import { CompositeReconciler } from './reconcile.ts'
import { type CompositeSettings, sameSettings } from './settings.ts'
import { AwaitedKinds } from './waiting.ts'
import { ComposedWatches } from './watches.ts'

/** The controller of one kind of composite, and all that it holds. */
export interface CompositeController {
  readonly spec: ControllerSpec
  readonly kind: DefinedKind
  /** The definition may have changed: every composite is looked at again if that matters to it. */
  configure(settings: CompositeSettings): void
  /** Gives back its watches. The controller itself must be stopped before. */
  close(): Promise<void>
}

export interface CompositeControllerOptions {
  readonly kind: DefinedKind
  readonly type: CompositeType
  readonly settings: CompositeSettings
  readonly index: KindIndex
  readonly services: DefinitionServices
}

export function compositeController({ kind, type, settings: initial, index, services }: CompositeControllerOptions): CompositeController {
  const name = `composite/${kind.plural}.${kind.group}`
  let settings = initial
  const enqueue = (request: Request): void => services.engine.get(name)?.enqueue(request)
  const awaited = new AwaitedKinds()
  const watches = new ComposedWatches({ informers: services.informers, owner: kind, secrets: type.name === 'Infrastructure', enqueue })
  const unsubscribe = index.onServed((served) => awaited.waitingFor(served).forEach(enqueue))
  const workshop = { type, kind, index, watches, awaited, applier: new MemberApplier(), random: services.random }
  const reconciler = new CompositeReconciler({ workshop, services, events: services.recorder(name), settings: () => settings })
  const lease = services.informers.acquire({ kind })
  const spec: ControllerSpec = {
    name,
    kind,
    predicate: anyOf(generationChanged, deletionChanged, labelsChanged, annotationsChanged),
    watches: [
      watch({
        kind: compositionKind,
        predicate: comesOrGoes,
        map: (composition, composites) =>
          isFor(composition, kind)
            ? composites
                .list()
                .filter((composite) => concerns(composition, composite))
                .map(requestFor)
            : [],
      }),
    ],
    reconcile: (request, context) => reconciler.reconcile(request, context),
    concurrency: 8,
    backoff: { baseMs: 50, maxMs: 30_000 },
  }
  return {
    spec,
    kind,
    configure(next) {
      if (sameSettings(settings, next)) return
      settings = next
      for (const composite of lease.informer.list()) enqueue(requestFor(composite))
    },
    async close() {
      unsubscribe()
      await watches.close()
      await lease.release()
    },
  }
}

const requestFor = ({ metadata: { name = '', namespace } }: KubeObject): Request => ({ name, namespace })

/** C2: a Composition is nobody's to reconcile; that one comes, goes or gets other labels only wakes those who wait for it. */
function comesOrGoes(change: Change): boolean {
  return change.type !== 'updated' || !deepEqual(change.object.metadata.labels, change.previous.metadata.labels)
}

/** Is the composite composed by it, or does it still look for one? */
const concerns = (composition: KubeObject, composite: KubeObject): boolean =>
  composedBy(composite) === undefined ||
  composedBy(composite) === composition.metadata.name ||
  findCondition(conditionsOf(composite), 'Synced')?.status !== 'True'
