import type { Condition, KubeObject } from '@weft/api'

export const PACKAGE_GROUP = 'pkg.crossplane.io'

type Observed = Condition & { readonly observedGeneration?: number }

export function conditionOf(object: KubeObject | undefined, type: string): Observed | undefined {
  const { conditions } = (object?.['status'] ?? {}) as { conditions?: readonly Observed[] }
  return conditions?.find((condition) => condition.type === type)
}
