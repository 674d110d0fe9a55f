import { failure, notAcceptable } from '@weft/api'
import { type AcceptClause, parseAccept } from './accept.ts'

export type Format = 'json' | 'yaml' | 'protobuf'

/** How the client wants its answer. */
export interface Representation {
  readonly format: Format
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  /** Version of meta.k8s.io for `as`. */
  readonly version: 'v1' | 'v1beta1'
  readonly pretty: boolean
}

/** Another kind that the client wants the answer as. A part that it does not name is empty. */
export interface Target {
  readonly kind: string
  readonly group: string
  readonly version: string
}

/** What was agreed on. */
export interface Accepted {
  readonly format: Format
  readonly target: Target | undefined
  readonly pretty: boolean
}

/** What an endpoint can do; `target` undefined: the answer as it is. */
export interface EndpointLimits {
  allows(format: Format, target: Target | undefined): boolean
  allowsServerVersion(version: string): boolean
}

const MEDIA: readonly { readonly format: Format; readonly subtype: string; readonly streams: boolean }[] = [
  { format: 'json', subtype: 'json', streams: true },
  { format: 'yaml', subtype: 'yaml', streams: false },
  { format: 'protobuf', subtype: 'vnd.kubernetes.protobuf', streams: true },
]

export const mediaTypeOfFormat = (format: Format): string =>
  format === 'protobuf' ? 'application/vnd.kubernetes.protobuf' : `application/${format}`

export const SUPPORTED: readonly string[] = MEDIA.map(({ format }) => mediaTypeOfFormat(format))
const STREAMS: readonly string[] = MEDIA.filter(({ streams }) => streams).map(({ format }) => `${mediaTypeOfFormat(format)};stream=watch`)

/** What lists and watches have in common is a route. */
const COLLECTIONS: readonly string[] = [...SUPPORTED, ...STREAMS]

/** The alternative that is liked best among those that the endpoint can do. */
export function negotiateMedia(accept: string, limits: EndpointLimits): Accepted | undefined {
  if (accept === '') return { format: 'json', target: undefined, pretty: false }
  for (const clause of parseAccept(accept)) {
    for (const media of MEDIA) {
      if (clause.type !== '*' && clause.type !== 'application') continue
      if (clause.subtype !== '*' && (clause.type === '*' || clause.subtype !== media.subtype)) continue
      const accepted = acceptedOf(clause, media, limits)
      if (accepted !== undefined) return accepted
    }
  }
  return undefined
}

function acceptedOf({ parameters }: AcceptClause, media: (typeof MEDIA)[number], limits: EndpointLimits): Accepted | undefined {
  const stream = parameters.get('stream') ?? ''
  if (stream !== '' && !(media.streams && stream === 'watch')) return undefined
  const serverVersion = parameters.get('sv') ?? ''
  if (serverVersion !== '' && !limits.allowsServerVersion(serverVersion)) return undefined
  const target = targetOf(parameters)
  return limits.allows(media.format, target) ? { format: media.format, target, pretty: parameters.get('pretty') === '1' } : undefined
}

function targetOf(parameters: ReadonlyMap<string, string>): Target | undefined {
  if (!parameters.has('as') && !parameters.has('g') && !parameters.has('v')) return undefined
  return { kind: parameters.get('as') ?? '', group: parameters.get('g') ?? '', version: parameters.get('v') ?? '' }
}

/** Who asks, as far as it decides what is possible. */
export interface NegotiationContext {
  readonly pretty: boolean
  /** Custom resources have no protobuf of their own, and refuse in other words. */
  readonly custom: boolean
  readonly verb: string
}

const PLAIN_JSON: Representation = { format: 'json', as: 'object', version: 'v1', pretty: false }

/** What a request for a resource is answered as. Throws NotAcceptable. */
export function negotiate(accept: string | undefined, { pretty, custom, verb }: NegotiationContext): Representation {
  if ((accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') && !pretty) return PLAIN_JSON
  const header = accept ?? ''
  const watch = verb === 'watch'
  if (!custom) assertProducible(header, watch || verb === 'list' ? COLLECTIONS : SUPPORTED)
  const accepted = negotiateMedia(header, custom ? CUSTOM : BUILT_IN)
  if (accepted === undefined) throw notAcceptable(SUPPORTED)
  if (watch && accepted.format === 'yaml') throw notAcceptable(STREAMS)
  const { format, target } = accepted
  const isPretty = format === 'json' && (pretty || accepted.pretty)
  if (target === undefined) return { format, as: 'object', version: 'v1', pretty: isPretty }
  return { format, as: target.kind as Representation['as'], version: target.version as Representation['version'], pretty: isPretty }
}

/** What is no resource (discovery, a Status) is answered as. Undefined: nothing acceptable. */
export function negotiatePlain(accept: string | undefined, pretty: boolean): Representation | undefined {
  if ((accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') && !pretty) return PLAIN_JSON
  const accepted = negotiateMedia(accept ?? '', PLAIN)
  if (accepted === undefined) return undefined
  return { format: accepted.format, as: 'object', version: 'v1', pretty: accepted.format === 'json' && (pretty || accepted.pretty) }
}

const resource = (custom: boolean): EndpointLimits => ({
  allows(format, target) {
    if (target === undefined) return !custom || format !== 'protobuf'
    if (target.group !== 'meta.k8s.io' || (target.version !== 'v1' && target.version !== 'v1beta1')) return false
    if (target.kind === 'Table') return format !== 'protobuf'
    return target.kind === 'PartialObjectMetadata' || target.kind === 'PartialObjectMetadataList'
  },
  allowsServerVersion: (version) => version === 'v1',
})

const CUSTOM = resource(true)
const BUILT_IN = resource(false)
const PLAIN: EndpointLimits = { allows: (_format, target) => target === undefined, allowsServerVersion: () => false }

/** Routes of built-in kinds look at the header first, and by themselves: they know neither parameters nor `application/*`. */
export function assertProducible(accept: string, produced: readonly string[] = SUPPORTED): void {
  if (accept === '') return
  const types = accept.split(',').map((clause) => clause.split(';', 1)[0]?.replace(/^ +| +$/g, '') ?? '')
  if (types.some((type) => type === '*/*' || produced.includes(type))) return
  throw failure({
    code: 406,
    reason: 'NotAcceptable',
    message: `406: Not Acceptable\n\nAvailable representations: ${produced.join(', ')}`,
    details: {},
  })
}
