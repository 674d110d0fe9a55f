import { forbidden } from '@weft/api'
import { ZERO } from '../kinds/quantity.ts'
import { added, formatUsage, masked, measureOf, type QuotaLedger, sum, type Usage } from '../quota/index.ts'
import { type Catalog, storageKey } from '../registry/index.ts'
import type { AdmissionPlugin, AdmissionRequest, Settle } from './admission.ts'

/** No write takes more of a namespace than its quotas allow. Runs last: only what nobody else refuses is counted. */
export function resourceQuotas(catalog: Catalog, ledger: () => QuotaLedger | undefined): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    validate(request) {
      const { namespace, operation, type, subresource, object, oldObject } = request
      const quotas = namespace === '' ? undefined : ledger()?.in(namespace)
      if (quotas === undefined || object === undefined || subresource !== '' || !type.verbs.includes('delete')) return undefined
      const measure = measureOf(type)
      if (measure === undefined || !(operation === 'CREATE' || (operation === 'UPDATE' && measure.varies))) return undefined
      const { reservations } = ledger() as QuotaLedger
      let limited = false
      for (const quota of quotas.values()) {
        const limits = quota.limits(measure)
        if (limits.length === 0) continue
        if (oldObject === undefined && quota.covers(measure, object)) assertDeclared(request, quota.name, measure.missing?.(object, limits))
        const requested = nonZero(added(quota, { measure, object, oldObject }))
        if (requested.size === 0) continue
        limited = true
        assertWithin(request, { name: quota.name, hard: quota.hard, used: sum(quota.used(), reservations.pending(quota)), requested })
      }
      if (!limited || request.dryRun) return undefined
      return reservations.make(namespace, {
        store: catalog.store(type),
        key: storageKey(type, namespace, request.name),
        revision: oldObject === undefined ? 0 : Number(oldObject.metadata.resourceVersion),
        measure,
        object,
        oldObject,
      }) satisfies Settle
    },
  }
}

interface Claim {
  readonly name: string
  readonly hard: Usage
  readonly used: Usage
  readonly requested: Usage
}

/** Where such things are limited, whoever does not say what they need is refused. */
function assertDeclared({ type, name, object }: AdmissionRequest, quota: string, missing: string | undefined): void {
  if (missing === undefined) return
  throw forbidden(
    { group: type.group, resource: type.plural, name: name || object?.metadata.generateName || 'Unknown' },
    `failed quota: ${quota}: ${missing}`,
  )
}

function assertWithin({ type, name, object }: AdmissionRequest, { name: quota, hard, used, requested }: Claim): void {
  const of = (usage: Usage, limit: string): bigint => (usage.get(limit) ?? ZERO).nanos
  const exceeded = new Set([...requested.keys()].filter((limit) => of(used, limit) + of(requested, limit) > of(hard, limit)))
  if (exceeded.size === 0) return
  const [wanted, taken, limited] = [requested, used, hard].map((usage) => formatUsage(masked(usage, exceeded)))
  throw forbidden(
    { group: type.group, resource: type.plural, name: name || object?.metadata.generateName || 'Unknown' },
    `exceeded quota: ${quota}, requested: ${wanted}, used: ${taken}, limited: ${limited}`,
  )
}

const nonZero = (usage: Usage): Usage => new Map([...usage].filter(([, { nanos }]) => nanos !== 0n))
