import { isJsonObject, parseGroupVersion } from '@weft/api'
import type { Transport } from '../transport/transport.ts'

/** A kind as the server serves it, in one version. */
export interface ServedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly subresources: readonly string[]
  /** What people may type instead of the plural. */
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
const ACCEPT = `${AGGREGATED},application/json`

/**
 * Everything the server serves, the preferred version of a group first. Two requests where the server aggregates
 * discovery; one more per group version where it does not. A group whose server is down is left out.
 */
export async function discover(transport: Transport, signal?: AbortSignal): Promise<readonly ServedKind[]> {
  const [core, groups] = await Promise.all([readRoot(transport, '/api', signal), readRoot(transport, '/apis', signal)])
  return [...core, ...groups]
}

async function readRoot(transport: Transport, path: '/api' | '/apis', signal: AbortSignal | undefined): Promise<readonly ServedKind[]> {
  const { body } = await transport.request({ verb: 'read', path, accept: ACCEPT, signal })
  if (!isJsonObject(body)) return []
  if (body['kind'] === 'APIGroupDiscoveryList') return (body['items'] as unknown as readonly AggregatedGroup[]).flatMap(fromAggregated)
  const versions =
    path === '/api'
      ? ((body['versions'] ?? []) as readonly string[])
      : ((body['groups'] ?? []) as unknown as readonly LegacyGroup[]).flatMap(orderedVersions)
  const served = await Promise.all(versions.map((version) => readVersion(transport, `${path}/${version}`, version, signal)))
  return served.flat()
}

async function readVersion(
  transport: Transport,
  path: string,
  groupVersion: string,
  signal: AbortSignal | undefined,
): Promise<readonly ServedKind[]> {
  try {
    const { body } = await transport.request({ verb: 'read', path, signal })
    const { resources } = body as { resources?: readonly LegacyResource[] }
    return fromLegacy(groupVersion, resources ?? [])
  } catch (error) {
    // One aggregated API server that is down must not hide all other kinds.
    if (signal?.aborted === true) throw error
    return []
  }
}

interface AggregatedGroup {
  readonly metadata?: { readonly name?: string }
  readonly versions?: readonly { readonly version: string; readonly resources?: readonly AggregatedResource[] }[]
}

interface AggregatedResource {
  readonly resource: string
  readonly responseKind?: { readonly group?: string; readonly version?: string; readonly kind?: string }
  readonly scope?: string
  readonly verbs?: readonly string[]
  readonly subresources?: readonly { readonly subresource: string }[]
  readonly singularResource?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

function fromAggregated({ metadata, versions }: AggregatedGroup): ServedKind[] {
  return (versions ?? []).flatMap(({ version, resources }) =>
    (resources ?? []).map(({ resource, responseKind, scope, verbs, subresources, singularResource, shortNames, categories }) => ({
      group: metadata?.name ?? '',
      version,
      kind: responseKind?.kind ?? '',
      plural: resource,
      namespaced: scope === 'Namespaced',
      verbs: verbs ?? [],
      subresources: (subresources ?? []).map(({ subresource }) => subresource),
      singular: singularResource ?? '',
      shortNames: shortNames ?? [],
      categories: categories ?? [],
    })),
  )
}

interface LegacyGroup {
  readonly preferredVersion?: { readonly groupVersion?: string }
  readonly versions: readonly { readonly groupVersion: string }[]
}

interface LegacyResource {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs?: readonly string[]
  readonly singularName?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

function orderedVersions({ preferredVersion, versions }: LegacyGroup): string[] {
  const all = versions.map(({ groupVersion }) => groupVersion)
  const preferred = preferredVersion?.groupVersion
  return preferred === undefined ? all : [preferred, ...all.filter((version) => version !== preferred)]
}

function fromLegacy(groupVersion: string, resources: readonly LegacyResource[]): ServedKind[] {
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs, singularName, shortNames, categories }) => ({
      ...parseGroupVersion(groupVersion),
      kind,
      plural: name,
      namespaced,
      verbs: verbs ?? [],
      subresources: resources.filter((other) => other.name.startsWith(`${name}/`)).map((other) => other.name.slice(name.length + 1)),
      singular: singularName ?? '',
      shortNames: shortNames ?? [],
      categories: categories ?? [],
    }))
}
