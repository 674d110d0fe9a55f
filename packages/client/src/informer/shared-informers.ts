import { formatGroupKind, formatLabelSelector, type KubeObject, type LabelSelector, requirementsOf } from '@weft/api'
import type { Client } from '../client.ts'
import type { Clock, Random } from '../clock.ts'
import type { Kind } from '../kind.ts'
import { createInformer } from './create-informer.ts'
import type { Informer, InformerReport, InformerSource } from './informer.ts'

/** What an informer is about. Two equal scopes share one informer. */
export interface InformerScope<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>
  readonly namespace?: string | undefined
  readonly labels?: LabelSelector | string | undefined
  readonly fieldSelector?: string | undefined
}

export interface InformerLease<T extends KubeObject = KubeObject> {
  readonly informer: Informer<T>
  /** Gives it back; whoever gives it back last stops it. Resolves when that is done. Idempotent. */
  release(): Promise<void>
}

export interface SharedInformersOptions {
  readonly client: Client
  readonly clock?: Clock | undefined
  readonly random?: Random | undefined
  readonly streaming?: boolean | undefined
  readonly onProblem?: ((scope: InformerScope, report: InformerReport) => void) | undefined
}

/** One watch per kind and scope, however many controllers look. Started by the first that asks, stopped by the last that leaves. */
export interface SharedInformers {
  acquire<T extends KubeObject>(scope: InformerScope<T>): InformerLease<T>
  /** Those of a kind try again now: its CRD has just come. */
  retryNow(group: string, kind: string): void
  /** Informers that run: a leak check, and a health check. */
  running(): readonly { readonly scope: InformerScope; readonly informer: Informer }[]
  stop(): Promise<void>
}

interface Shared {
  readonly scope: InformerScope
  readonly informer: Informer
  users: number
}

export function createSharedInformers(options: SharedInformersOptions): SharedInformers {
  const { client, clock, random, streaming, onProblem } = options
  const shared = new Map<string, Shared>()

  const open = (scope: InformerScope): Shared => {
    const { kind, namespace, labels, fieldSelector } = scope
    const where = { namespace, labels, fieldSelector }
    const informer = createInformer(
      remembering(kind, {
        list: ({ signal }) => client.list(kind, { ...where, signal }),
        watch: ({ signal, ...watch }) => client.watch(kind, { ...where, ...watch, signal }),
      }),
      { clock, random, streaming, onProblem: (report) => onProblem?.(scope, report) },
    )
    informer.start()
    return { scope, informer, users: 0 }
  }
  return {
    acquire<T extends KubeObject>(scope: InformerScope<T>): InformerLease<T> {
      const key = scopeKey(scope)
      let entry = shared.get(key)
      if (entry === undefined) shared.set(key, (entry = open(scope)))
      const held = entry
      held.users++
      let released: Promise<void> | undefined
      const giveBack = async (): Promise<void> => {
        if (--held.users > 0) return
        if (shared.get(key) === held) shared.delete(key)
        await held.informer.stop()
      }
      return { informer: held.informer as unknown as Informer<T>, release: () => (released ??= giveBack()) }
    },
    retryNow(group, kind) {
      for (const { scope, informer } of shared.values()) if (scope.kind.group === group && scope.kind.kind === kind) informer.retryNow()
    },
    running: () => [...shared.values()],
    async stop() {
      const all = [...shared.values()]
      shared.clear()
      await Promise.all(all.map(({ informer }) => informer.stop()))
    },
  }
}

/** The source, with of each object only what the kind says that informers remember. */
function remembering(kind: Kind, source: InformerSource): InformerSource {
  const { remembered } = kind
  if (remembered === undefined) return source
  const keep = (object: KubeObject): KubeObject => remembered.call(kind, object)
  return {
    async list(options) {
      const list = await source.list(options)
      return { ...list, items: list.items.map(keep) }
    },
    async *watch(options) {
      for await (const batch of source.watch(options))
        yield batch.map((event) => (event.type === 'BOOKMARK' ? event : { ...event, object: keep(event.object) }))
    },
  }
}

/** Equal for equal scopes. */
export function scopeKey({ kind, namespace = '', labels, fieldSelector = '' }: InformerScope): string {
  const selector = labels === undefined ? '' : typeof labels === 'string' ? labels : formatLabelSelector(requirementsOf(labels))
  return JSON.stringify([kind.group, kind.kind, kind.version ?? '', namespace, selector, fieldSelector])
}

/** For people: `Secret (namespace prod)`. */
export function formatScope({ kind, namespace, labels, fieldSelector }: InformerScope): string {
  const selector = labels === undefined ? '' : typeof labels === 'string' ? labels : formatLabelSelector(requirementsOf(labels))
  const limits = [
    namespace && `namespace ${namespace}`,
    selector && `labels ${selector}`,
    fieldSelector && `fields ${fieldSelector}`,
  ].filter(Boolean)
  return `${formatGroupKind(kind)}${limits.length === 0 ? '' : ` (${limits.join(', ')})`}`
}
