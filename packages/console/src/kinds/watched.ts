import { type KindInfo, kindKey, LIVING_ROLES, OFFERING_ROLES, type Role, roleOf } from './kind-info.ts'

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

const rank = (kind: KindInfo): number => {
  const role = roleOf(kind)
  return role === undefined ? ORDER.length + ALSO_WATCHED.indexOf(kindKey(kind)) : ORDER.indexOf(role)
}

const matters = (kind: KindInfo): boolean => roleOf(kind) !== undefined || ALSO_WATCHED.includes(kindKey(kind))

/** The kinds that the console is about, those first that people look at first: the large definitions of kinds come last. */
export const watchedKinds = (all: readonly KindInfo[]): readonly KindInfo[] =>
  all
    .filter((kind) => kind.verbs.includes('watch') && matters(kind))
    .map((kind) => ({ kind, at: rank(kind) }))
    .sort((a, b) => a.at - b.at)
    .map(({ kind }) => kind)
