import { deepEqual, type KubeObject, type OwnerReference, parseGroupVersion } from '@weft/api'
import type { Change, Secret } from '@weft/client'
import { conditionOf, controllerOf, deletionOrderOf } from '@weft/composition'
import { type ControllerSpec, type Mapper, requestFor, specOrMetadataChanged, toOwner, watch } from '@weft/runtime'
import { CONNECTION_SECRETS } from '../connection/secret.ts'
import type { DefinedKind } from '../definition/definition.ts'
import { type CompositeDefinition, compositionKind } from '../definition/kinds.ts'
import type { KindController } from '../definition/kind-controllers.ts'
import type { DefinitionServices } from '../definition/services.ts'
import { MemberApplier } from './apply-member.ts'
import { isFor } from './composition-source.ts'
import type { KindIndex } from './kind-index.ts'
import type { CompositeType } from './composite-type.ts'
import { untilItReports, untilMemberIsReady } from './patience.ts'
import { composedBy } from './record.ts'
import { CompositeReconciler } from './reconcile.ts'
import { settingsOf } from './settings.ts'

export interface CompositeControllerOptions {
  readonly definition: CompositeDefinition
  readonly kind: DefinedKind
  readonly type: CompositeType
  readonly index: KindIndex
  readonly services: DefinitionServices
}

/** The controller of one kind of composite. */
export function compositeController(options: CompositeControllerOptions): KindController<CompositeDefinition> {
  const { definition, kind, type, index, services } = options
  const name = `composite/${kind.plural}.${kind.group}`
  let settings = settingsOf(definition)
  const workshop = { type, kind, index, applier: new MemberApplier(), random: services.random }
  const reconciler = new CompositeReconciler({ workshop, services, events: services.recorder(name), settings: () => settings })
  const spec: ControllerSpec = {
    name,
    kind,
    predicate: specOrMetadataChanged,
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
      ...(type.name === 'Infrastructure'
        ? [watch({ ...CONNECTION_SECRETS, predicate: isNews(kind), map: toPublished(kind), patience: untilMemberIsReady })]
        : []),
    ],
    toFollowers: toOwner(kind),
    followersPatience: untilItReports,
    reconcile: (request, context) => reconciler.reconcile(request, context),
    concurrency: 8,
    backoff: { baseMs: 50, maxMs: 30_000 },
  }
  return {
    spec,
    kind,
    configure(changed) {
      const next = settingsOf(changed)
      if (deepEqual(settings, next)) return
      settings = next
      services.engine.get(name)?.enqueueAll()
    },
  }
}

/** A connection secret belongs to a composite, or to a member of one. */
function toPublished(kind: DefinedKind): Mapper<Secret> {
  const toComposite = toOwner(kind)
  return (secret, composites, known) => {
    const owner = controllerOf(secret)
    if (owner === undefined) return []
    const member = known({ ...parseGroupVersion(owner.apiVersion), kind: owner.kind })?.get({ name: owner.name })
    return [...(isOf(owner, kind) ? [{ name: owner.name }] : []), ...(member === undefined ? [] : toComposite(member, composites, known))]
  }
}

const isOf = (owner: OwnerReference, { group, kind }: DefinedKind): boolean =>
  owner.kind === kind && parseGroupVersion(owner.apiVersion).group === group

/** That a composite's own secret has come is no news to it: it made that itself, and goes on from there. What becomes of it later is. */
const isNews =
  (kind: DefinedKind) =>
  ({ type, object }: Change<Secret>): boolean => {
    const owner = type === 'added' ? controllerOf(object) : undefined
    return owner === undefined || !isOf(owner, kind)
  }

/** C2: a Composition is nobody's to reconcile; that one comes, goes, gets other labels or says how members go only wakes those who wait for it. */
function comesOrGoes(change: Change): boolean {
  return (
    change.type !== 'updated' ||
    !deepEqual(change.object.metadata.labels, change.previous.metadata.labels) ||
    deletionOrderOf(change.object) !== deletionOrderOf(change.previous)
  )
}

/** Is the composite composed by it, or does it still look for one? */
const concerns = (composition: KubeObject, composite: KubeObject): boolean =>
  composedBy(composite) === undefined ||
  composedBy(composite) === composition.metadata.name ||
  conditionOf(composite, 'Synced')?.status !== 'True'
