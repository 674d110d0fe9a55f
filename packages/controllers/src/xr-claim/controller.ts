import { deepEqual, getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { annotationsChanged, anyOf, type ControllerSpec, deletionChanged, generationChanged, labelsChanged, watch } from '@weft/runtime'
import { MemberApplier } from '../composite/apply-member.ts'
import type { DefinedKind } from '../definition/definition.ts'
import type { DefinitionServices } from '../definition/services.ts'
import type { CompositeResourceDefinition } from '../xrd/xrd.ts'
import { XrClaimReconciler } from './reconcile.ts'
import type { ClaimTerms } from './synchronise.ts'

/** The controller of one kind of claim, and what it holds. */
export interface ClaimController {
  readonly spec: ControllerSpec
  readonly kind: DefinedKind
  /** The definition may have changed. */
  configure(xrd: CompositeResourceDefinition): void
  close(): Promise<void>
}

export interface ClaimControllerOptions {
  readonly definition: string
  readonly xrd: CompositeResourceDefinition
  readonly kind: DefinedKind
  readonly xrKind: DefinedKind
  readonly services: DefinitionServices
}

/** K93: a change of a claim, or of the composite that refers to it, calls for the claim. Nothing is polled. */
export function claimController({ definition, xrd, kind, xrKind, services }: ClaimControllerOptions): ClaimController {
  const name = `claim/${definition}`
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
  const lease = services.informers.acquire({ kind })
  return {
    kind,
    spec: {
      name,
      kind,
      predicate: anyOf(generationChanged, deletionChanged, labelsChanged, annotationsChanged),
      watches: [watch({ kind: xrKind, map: claimOf })],
      reconcile: (request, context) => reconciler.reconcile(request, context),
      concurrency: 8,
      timeoutMs: 60_000,
      backoff: { baseMs: 250, maxMs: 30_000 },
    },
    configure(next) {
      if (deepEqual(terms, termsOf(next))) return
      terms = termsOf(next)
      for (const { metadata } of lease.informer.list())
        services.engine.get(name)?.enqueue({ name: metadata.name ?? '', namespace: metadata.namespace })
    },
    close: () => lease.release(),
  }
}

const termsOf = ({ spec }: CompositeResourceDefinition): ClaimTerms => ({ enforced: spec.enforcedCompositionRef !== undefined })

function claimOf(xr: KubeObject): readonly { readonly name: string; readonly namespace: string }[] {
  const spec = isJsonObject(xr['spec']) ? xr['spec'] : {}
  const ref = getOwn(spec, 'claimRef')
  if (!isJsonObject(ref)) return []
  const { name, namespace } = ref as { readonly name?: unknown; readonly namespace?: unknown }
  return typeof name === 'string' && typeof namespace === 'string' ? [{ name, namespace }] : []
}
