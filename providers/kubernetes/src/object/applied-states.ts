import { createHash } from 'node:crypto'
import type { KubeObject } from '@weft/api'

const MAX_KEPT = 20_000

/**
 * Remembers of each Object which revision of its object is known to be as its manifest says: as long as neither changes, nothing needs to be
 * compared. Only memory: what is forgotten is compared again.
 */
export class AppliedStates {
  readonly #states = new Map<string, string>()

  isKnown(uid: string, cluster: string, manifest: KubeObject, object: KubeObject): boolean {
    return this.#states.get(uid) === stateOf(cluster, manifest, object)
  }

  remember(uid: string, cluster: string, manifest: KubeObject, object: KubeObject): void {
    this.#states.delete(uid)
    if (this.#states.size >= MAX_KEPT) this.#states.delete(this.#states.keys().next().value ?? '')
    this.#states.set(uid, stateOf(cluster, manifest, object))
  }

  forget(uid: string): void {
    this.#states.delete(uid)
  }
}

/** A digest: a manifest may hold what should not stay in memory for long. */
const stateOf = (cluster: string, manifest: KubeObject, { metadata }: KubeObject): string =>
  createHash('sha256')
    .update(JSON.stringify([cluster, manifest, metadata.uid ?? '', metadata.resourceVersion ?? '']))
    .digest('base64')
