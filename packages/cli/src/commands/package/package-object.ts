import type { Condition, KubeObject } from '@weft/api'
import type { PackageType } from '@weft/xpkg'

export const PACKAGE_GROUP = 'pkg.crossplane.io'
export const PACKAGE_TYPES: readonly PackageType[] = ['Provider', 'Configuration', 'Function']

/** Of an option's value, which is one of them in small letters. */
export const packageTypeOf = (text: string): PackageType => PACKAGE_TYPES.find((type) => type.toLowerCase() === text) ?? 'Configuration'

type Observed = Condition & { readonly observedGeneration?: number }

export function conditionOf(object: KubeObject | undefined, type: string): Observed | undefined {
  const { conditions } = (object?.['status'] ?? {}) as { conditions?: readonly Observed[] }
  return conditions?.find((condition) => condition.type === type)
}
