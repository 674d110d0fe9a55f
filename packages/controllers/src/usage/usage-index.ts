import { COMPOSITE_LABEL } from '@weft/composition'
import type { KubeObject } from '@weft/api'
import type { SharedInformers } from '@weft/client'
import { objectKey, type Usage, USAGE_KINDS, usedKey } from './usage.ts'

/** Which usages an object has, of all three kinds, from memory. */
export interface UsageIndex {
  /** Those that still protect it. */
  protecting(object: KubeObject): readonly Usage[]
  readonly synced: Promise<void>
  stop(): Promise<void>
}

const BY_USED = 'used'

export function createUsageIndex(informers: SharedInformers): UsageIndex {
  const leases = USAGE_KINDS.map((kind) => informers.acquire({ kind }))
  for (const { informer } of leases)
    informer.addIndex(BY_USED, (usage) => {
      const key = usedKey(usage)
      return key === undefined ? [] : [key]
    })
  return {
    protecting: (object) => leases.flatMap(({ informer }) => informer.byIndex(BY_USED, objectKey(object))).filter(protects),
    synced: Promise.all(leases.map(({ informer }) => informer.synced)).then(() => undefined),
    stop: async () => void (await Promise.all(leases.map((lease) => lease.release()))),
  }
}

/** One that is being deleted protects only while it waits for who uses it (K144). */
const protects = (usage: Usage): boolean => usage.metadata.deletionTimestamp === undefined || waitsForUser(usage)

/** K144: composed together with what uses it, it goes after that. */
export const waitsForUser = ({ metadata, spec }: Usage): boolean =>
  spec.by !== undefined && (metadata.labels?.[COMPOSITE_LABEL] ?? '') !== ''
