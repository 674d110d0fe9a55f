import type { ResourceType } from '../../registry/index.ts'
import { type EndpointLimits, type Format, mediaTypeOfFormat, negotiateMedia } from '../answer/negotiate.ts'
import { CUSTOM_VERBS, type ServedGroup } from './served-groups.ts'

/** Aggregated discovery: everything below `/api` or `/apis` in one document, which saves a client a request per group version. */
export interface Aggregation {
  readonly version: 'v2' | 'v2beta1'
  readonly format: Format
}

export const aggregatedContentType = (format: Format, version: Aggregation['version']): string =>
  `${mediaTypeOfFormat(format)};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`

/** The aggregated document that the client likes best, if it knows any: then it gets one, whatever it says of others. */
export function preferredAggregation(accept: string | undefined): Aggregation | undefined {
  if (accept === undefined || !accept.includes('APIGroupDiscoveryList')) return undefined
  const accepted = negotiateMedia(accept, AGGREGATED)
  return accepted?.target && { version: accepted.target.version as Aggregation['version'], format: accepted.format }
}

const AGGREGATED: EndpointLimits = {
  allows: (_format, target) =>
    target?.kind === 'APIGroupDiscoveryList' &&
    target.group === 'apidiscovery.k8s.io' &&
    (target.version === 'v2' || target.version === 'v2beta1'),
  allowsServerVersion: () => false,
}

/** JSON text, made by joining: the part of a resource that did not change since the last time is not made again. */
export function aggregatedDiscovery(groups: readonly ServedGroup[], version: Aggregation['version']): string {
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
