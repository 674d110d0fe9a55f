/** Group, version, kind and resource names, and their textual forms. */
export interface GroupKind {
  readonly group: string
  readonly kind: string
}
export interface GroupVersion {
  readonly group: string
  readonly version: string
}
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string
}
export interface GroupVersionResource extends GroupVersion {
  readonly resource: string
}

export function parseGroupVersion(apiVersion: string): GroupVersion {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? { group: '', version: apiVersion } : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) }
}

export function formatGroupVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`
}

export function gvkOf(object: { readonly apiVersion: string; readonly kind: string }): GroupVersionKind {
  return { ...parseGroupVersion(object.apiVersion), kind: object.kind }
}

/** `kind.group`, or `kind` for the core group: the form used in messages and as a map key. */
export function formatGroupKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`
}

/** `resource.group`, or `resource` for the core group. */
export function formatGroupResource(group: string, resource: string): string {
  return group === '' ? resource : `${resource}.${group}`
}

/**
 * Kubernetes' order of API versions, most preferred first: v2, v1, v2beta1, v1beta2, v1alpha1, then names that are
 * not versions, alphabetically. Use with Array.sort.
 */
export function compareVersions(a: string, b: string): number {
  const pa = parseVersion(a)
  const pb = parseVersion(b)
  if (pa === undefined || pb === undefined) {
    if (pa !== undefined) return -1
    if (pb !== undefined) return 1
    return a < b ? -1 : a > b ? 1 : 0
  }
  return pb.stage - pa.stage || pb.major - pa.major || pb.minor - pa.minor
}

function parseVersion(version: string): { stage: number; major: number; minor: number } | undefined {
  const match = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/.exec(version)
  if (match === null) return undefined
  const stage = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0
  return { stage, major: Number(match[1]), minor: Number(match[3] ?? 0) }
}
