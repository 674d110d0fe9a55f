import { deepEqual, getOwn, isJsonObject, type KubeObject, specOf } from '@weft/api'
import { specOrMetadataChanged, watch } from '@weft/runtime'
import { MemberApplier } from '../composite/apply-member.ts'
import type { DefinedKind } from '../definition/definition.ts'
import type { KindController } from '../definition/kind-controllers.ts'
import type { DefinitionServices } from '../definition/services.ts'
import { type CompositeResourceDefinition, referenceable } from '../xrd/xrd.ts'
import { XrClaimReconciler } from './reconcile.ts'
import type { ClaimTerms } from './synchronise.ts'

export interface ClaimControllerOptions {
  readonly xrd: CompositeResourceDefinition
  readonly kind: DefinedKind
  readonly services: DefinitionServices
}

/** The controller of one kind of claim. K93: a change of a claim, or of the composite that refers to it, calls for the claim. Nothing is polled. */
export function claimController({ xrd, kind, services }: ClaimControllerOptions): KindController<CompositeResourceDefinition> {
  const name = `claim/${xrd.metadata.name ?? ''}`
  const xrKind = {
    group: xrd.spec.group,
    version: referenceable(xrd)?.name ?? kind.version,
    kind: xrd.spec.names.kind,
    plural: xrd.spec.names.plural,
    namespaced: false,
  }
  let terms = termsOf(xrd)
  const { clock, random } = services
  const reconciler = new XrClaimReconciler({
    kind,
    xrKind,
    terms: () => terms,
    events: services.recorder(name),
    applier: new MemberApplier(),
    clock,
    random,
  })
  return {
    kind,
    spec: {
      name,
      kind,
      predicate: specOrMetadataChanged,
      watches: [watch({ kind: xrKind, map: claimOf })],
      reconcile: (request, context) => reconciler.reconcile(request, context),
      concurrency: 8,
      timeoutMs: 60_000,
      backoff: { baseMs: 250, maxMs: 30_000 },
    },
    configure(changed) {
      const next = termsOf(changed)
      if (deepEqual(terms, next)) return
      terms = next
      services.engine.get(name)?.enqueueAll()
    },
  }
}

const termsOf = ({ spec }: CompositeResourceDefinition): ClaimTerms => ({
  enforced: spec.enforcedCompositionRef !== undefined,
  updatePolicy: spec.defaultCompositionUpdatePolicy,
})

function claimOf(xr: KubeObject): readonly { readonly name: string; readonly namespace: string }[] {
  const spec = specOf(xr)
  const ref = getOwn(spec, 'claimRef')
  if (!isJsonObject(ref)) return []
  const { name, namespace } = ref as { readonly name?: unknown; readonly namespace?: unknown }
  return typeof name === 'string' && typeof namespace === 'string' ? [{ name, namespace }] : []
}
