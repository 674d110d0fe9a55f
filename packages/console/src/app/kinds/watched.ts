import { type KindInfo, kindKey, LIVING_ROLES, OFFERING_ROLES, type Role, roleOf } from '../../kinds/kind-info.ts'

/** Kinds that are watched although they are neither living nor offering: they say which other kinds there are, and what binds to what. */
const ALSO_WATCHED: readonly string[] = [
  'ResourceBindingDefinition.weft.dev',
  'ManagedResourceDefinition.apiextensions.crossplane.io',
  'ManagedResourceActivationPolicy.apiextensions.crossplane.io',
  'Provider.pkg.crossplane.io',
  'ProviderRevision.pkg.crossplane.io',
  'Configuration.pkg.crossplane.io',
  'ConfigurationRevision.pkg.crossplane.io',
  'Function.pkg.crossplane.io',
  'FunctionRevision.pkg.crossplane.io',
  'CustomResourceDefinition.apiextensions.k8s.io',
]

const ORDER: readonly Role[] = [...LIVING_ROLES, ...OFFERING_ROLES]

/** The kinds to watch, those first that people look at first: the large definitions of kinds come last. `also`: keys of further kinds. */
export function watchedKinds(all: readonly KindInfo[], also: ReadonlySet<string>): readonly KindInfo[] {
  const rank = (kind: KindInfo): number => {
    const role = roleOf(kind)
    if (role !== undefined) return ORDER.indexOf(role)
    const at = ALSO_WATCHED.indexOf(kindKey(kind))
    return at >= 0 ? ORDER.length + 1 + at : also.has(kindKey(kind)) ? ORDER.length : -1
  }
  return all
    .filter((kind) => kind.verbs.includes('watch') && rank(kind) >= 0)
    .map((kind) => ({ kind, at: rank(kind) }))
    .sort((a, b) => a.at - b.at)
    .map(({ kind }) => kind)
}
