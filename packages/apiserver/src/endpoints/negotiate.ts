import { failure, notAcceptable } from '@weft/api'

/** How the client wants its answer. */
export interface Representation {
  readonly format: 'json' | 'yaml'
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  /** Version of meta.k8s.io for `as`. */
  readonly version: 'v1' | 'v1beta1'
  readonly pretty: boolean
}

export const SUPPORTED: readonly string[] = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']
const AS = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'])
const plain = (format: 'json' | 'yaml', pretty: boolean): Representation => ({ format, as: 'object', version: 'v1', pretty })
const PLAIN_JSON = plain('json', false)

/** Who asks, as far as it decides what is possible. */
export interface NegotiationContext {
  readonly pretty: boolean
  /** Built-in kinds speak protobuf too, and refuse in other words. */
  readonly custom: boolean
  readonly watch: boolean
}

/**
 * Picks the acceptable clause of an Accept header that is liked best. Protobuf is answered in JSON: every client that
 * asks for it decodes by the answer's Content-Type.
 */
export function negotiate(accept: string | undefined, { pretty, custom, watch }: NegotiationContext): Representation {
  if ((accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') && !pretty) return PLAIN_JSON
  let known = false
  for (const { media, parameters } of clausesOf(accept ?? '*/*')) {
    const format = formatOf(media)
    if (format === undefined) continue
    known = true
    if (custom && media === 'application/vnd.kubernetes.protobuf') continue
    if (watch && format === 'yaml') continue
    const as = parameters.get('as')
    if (as === undefined) return plain(format, pretty)
    const version = parameters.get('v') ?? 'v1'
    if (!AS.has(as) || parameters.get('g') !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) continue
    return { format, as: as as Representation['as'], version, pretty }
  }
  const supported = SUPPORTED
  if (custom || known)
    throw notAcceptable(watch ? supported.filter((type) => type !== 'application/yaml').map((type) => `${type};stream=watch`) : supported)
  throw failure({
    code: 406,
    reason: 'NotAcceptable',
    message: `406: Not Acceptable\n\nAvailable representations: ${supported.join(', ')}`,
    details: {},
  })
}

interface Clause {
  readonly media: string
  readonly parameters: ReadonlyMap<string, string>
}

/** The clauses of the header, best first: by q, then as written. */
function clausesOf(accept: string): readonly Clause[] {
  const clauses = accept.split(',').map((clause) => {
    const [media = '', ...rest] = clause.split(';').map((part) => part.trim())
    return { media: media.toLowerCase(), parameters: new Map(rest.map((p) => [p.slice(0, p.indexOf('=')), p.slice(p.indexOf('=') + 1)])) }
  })
  const weight = ({ parameters }: Clause): number => Number(parameters.get('q') ?? 1)
  return clauses.sort((a, b) => weight(b) - weight(a))
}

function formatOf(media: string): 'json' | 'yaml' | undefined {
  switch (media) {
    case 'application/json':
    case 'application/vnd.kubernetes.protobuf':
    case '*/*':
    case 'application/*':
      return 'json'
    case 'application/yaml':
      return 'yaml'
    default:
      return undefined
  }
}
