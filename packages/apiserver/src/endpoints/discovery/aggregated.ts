import type { ResourceType } from '../../registry/index.ts'
import { CUSTOM_VERBS, type ServedGroup } from './served-groups.ts'

/** Aggregated discovery: everything below `/api` or `/apis` in one document, which saves a client a request per group version. */
export type AggregatedVersion = 'v2' | 'v2beta1'

export const aggregatedContentType = (version: AggregatedVersion): string =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`

/**
 * Which aggregated version the client prefers; undefined when it prefers the legacy documents. A protobuf clause is
 * answered in JSON too: clients decode by the answer's Content-Type.
 */
export function preferredAggregation(accept: string | undefined): AggregatedVersion | undefined {
  if (accept === undefined || !accept.includes('APIGroupDiscoveryList')) return undefined
  for (const clause of accept.split(',')) {
    const [media = '', ...parameters] = clause.split(';').map((part) => part.trim())
    if (!READABLE.has(media.toLowerCase())) continue
    if (!parameters.some((parameter) => parameter.startsWith('as='))) return undefined
    const isList = parameters.includes('as=APIGroupDiscoveryList') && parameters.includes('g=apidiscovery.k8s.io')
    if (isList && parameters.includes('v=v2')) return 'v2'
    if (isList && parameters.includes('v=v2beta1')) return 'v2beta1'
  }
  return undefined
}

const READABLE = new Set(['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml', 'application/*', '*/*'])

/** JSON text, made by joining: the part of a resource that did not change since the last time is not made again. */
export function aggregatedDiscovery(groups: readonly ServedGroup[], version: AggregatedVersion): string {
  const items = groups.map(({ name, versions }) => {
    const served = versions.map(
      (v) => `{"version":${JSON.stringify(v.version)},"resources":[${v.types.map(fragmentOf).join(',')}],"freshness":"Current"}`,
    )
    return `{"metadata":${JSON.stringify(name === '' ? {} : { name })},"versions":[${served.join(',')}]}`
  })
  return `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/${version}","metadata":{},"items":[${items.join(',')}]}\n`
}

const fragments = new WeakMap<ResourceType, string>()

function fragmentOf(type: ResourceType): string {
  let fragment = fragments.get(type)
  if (fragment === undefined) fragments.set(type, (fragment = JSON.stringify(describe(type))))
  return fragment
}

function describe(type: ResourceType): object {
  const { group, version, kind, plural, singular, namespaced, verbs, shortNames, categories, subresources } = type
  const responseKind = { group, version, kind }
  return {
    resource: plural,
    responseKind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: type.custom ? CUSTOM_VERBS : verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((part) => ({ subresource: part.name, responseKind: part.kind ?? responseKind, verbs: part.verbs })),
    }),
  }
}
