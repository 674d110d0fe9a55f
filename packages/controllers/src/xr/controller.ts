import { deepEqual, formatGroupKind, formatGroupVersion, type KubeObject, parseGroupVersion } from '@weft/api'
import { controllerOf } from '@weft/composition'
import type { FunctionRunner } from '@weft/functions'
import { type ControllerSpec, type Known, type Request, requestFor, specOrMetadataChanged, watch } from '@weft/runtime'
import { MemberApplier } from '../composite/apply-member.ts'
import type { KindIndex } from '../composite/kind-index.ts'
import type { DefinedKind } from '../definition/definition.ts'
import type { KindController } from '../definition/kind-controllers.ts'
import type { DefinitionServices } from '../definition/services.ts'
import { type CompositeResourceDefinition, compositeResourceDefinitionKind } from '../xrd/xrd.ts'
import { compositionRevisionKind, pipelineCompositionKind } from '../revision/kinds.ts'
import { COMPOSITION_NAME_LABEL, REVISION_INDEXES } from '../revision/revisions.ts'
import type { Disclosure } from './live-requirements.ts'
import { machineryOf } from './machinery.ts'
import { BY_COMPOSITION, compositionOf, XrReconciler } from './reconcile.ts'
import { isForType } from './select.ts'
import { type XrSettings, xrSettings } from './settings.ts'
import { StormGuard } from './storm-guard.ts'

export interface XrControllerOptions {
  readonly xrd: CompositeResourceDefinition
  readonly kind: DefinedKind
  readonly index: KindIndex
  readonly services: DefinitionServices
  readonly runner: FunctionRunner
  readonly disclosure?: Disclosure | undefined
}

/** K51: how long one pass may take; a function that hangs costs its own composite that much. */
const TIMEOUT_MS = 120_000
const CONCURRENCY = 16
/** K51: with those whose functions take their time, as many as in Crossplane: some dozen whose function hangs hold up no other of their kind. */
const WITH_WAITING = 100

/** The controller of one kind of composite resource. */
export function xrController({
  xrd,
  kind,
  index,
  services,
  runner,
  disclosure,
}: XrControllerOptions): KindController<CompositeResourceDefinition> {
  const name = `composite/${xrd.metadata.name ?? ''}`
  let settings = xrSettings(xrd)
  const enqueue = (request: Request): void => services.engine.get(name)?.enqueue(request)
  const guard = new StormGuard(services.clock, enqueue)
  const { clock, random } = services
  const reconciler = new XrReconciler({
    kind,
    settings: () => settings,
    runner,
    events: services.recorder(name),
    applier: new MemberApplier(),
    index,
    disclosure,
    keepsRequests: () => settings.keepsRequests,
    guard,
    isEnding: ({ cached }) =>
      cached(compositeResourceDefinitionKind).get({ name: xrd.metadata.name ?? '' })?.metadata.deletionTimestamp !== undefined,
    clock,
    random,
  })
  const apiVersion = formatGroupVersion(kind)
  const spec: ControllerSpec = {
    name,
    kind,
    predicate: specOrMetadataChanged,
    indexes: { [BY_COMPOSITION]: (xr) => [compositionOf(xr, settings)] },
    watches: [
      watch({
        kind: pipelineCompositionKind,
        // A composition that comes matters to those that look for one; what it says, to nobody before it is a revision.
        predicate: ({ type }) => type !== 'updated',
        map: (composition, xrs) =>
          isForType(composition, { apiVersion, kind: kind.kind })
            ? [...xrs.byIndex(BY_COMPOSITION, ''), ...xrs.byIndex(BY_COMPOSITION, composition.metadata.name ?? '')].map(requestFor)
            : [],
      }),
      watch({
        kind: compositionRevisionKind,
        indexes: REVISION_INDEXES,
        predicate: (change) => change.type !== 'updated' || !deepEqual(change.object['spec'], change.previous['spec']) || isJudged(change),
        map: (revision, xrs) =>
          xrs
            .byIndex(BY_COMPOSITION, revision.metadata.labels?.[COMPOSITION_NAME_LABEL] ?? '')
            .filter((xr) => concerns(revision, xr, settings))
            .map(requestFor),
      }),
      // Only to have it in memory: what a definition says comes by `configure`.
      watch({ kind: compositeResourceDefinitionKind, predicate: () => false, map: () => [] }),
    ],
    toFollowers: (object, _xrs, known) => {
      const request = composerOf(object, kind, known)
      if (request === undefined) return []
      const { metadata } = object
      const by = `${object.kind}/${metadata.name ?? ''}${metadata.namespace === undefined ? '' : ` (${metadata.namespace})`}`
      return metadata.deletionTimestamp !== undefined || guard.admits(request, by) ? [request] : []
    },
    reconcile: (request, context) => reconciler.reconcile(request, context),
    concurrency: CONCURRENCY,
    withWaiting: WITH_WAITING,
    timeoutMs: TIMEOUT_MS,
    backoff: { baseMs: 250, maxMs: 30_000 },
  }
  return {
    spec,
    kind,
    configure(changed) {
      const next = xrSettings(changed)
      if (deepEqual(settings, next)) return
      settings = next
      services.engine.get(name)?.enqueueAll()
    },
    close: () => guard.close(),
  }
}

const isJudged = ({ object, previous }: { readonly object: KubeObject; readonly previous?: KubeObject }): boolean =>
  !deepEqual(object['status'], previous?.['status'])

/** K50: one that stays on its revision by hand hears only of that one. */
function concerns(revision: KubeObject, xr: KubeObject, { scope }: XrSettings): boolean {
  const { compositionUpdatePolicy, compositionRevisionRef } = machineryOf(xr, scope)
  return compositionUpdatePolicy !== 'Manual' || !compositionRevisionRef || compositionRevisionRef.name === revision.metadata.name
}

/** The composite that controls `object`; of a connection secret, the one that controls whose secret it is. */
function composerOf(object: KubeObject, kind: DefinedKind, known: Known): Request | undefined {
  const controller = controllerOf(object)
  if (controller === undefined) return undefined
  const { group, version } = parseGroupVersion(controller.apiVersion)
  const namespace = object.metadata.namespace
  if (controller.kind === kind.kind && group === kind.group)
    return { name: controller.name, ...(kind.namespaced && namespace !== undefined && { namespace }) }
  if (formatGroupKind({ group: '', kind: object.kind }) !== 'Secret' || object.apiVersion !== 'v1') return undefined
  const members = known({ group, version, kind: controller.kind })
  const member = members?.get({ name: controller.name }) ?? members?.get({ name: controller.name, namespace })
  return member === undefined || member.kind === 'Secret' ? undefined : composerOf(member, kind, known)
}
