import { notAcceptable } from '@weft/api'

/** How the client wants its answer. */
export interface Representation {
  readonly format: 'json' | 'yaml'
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  /** Version of meta.k8s.io for `as`. */
  readonly version: 'v1' | 'v1beta1'
  readonly pretty: boolean
}

const SUPPORTED = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']
const AS = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'])
const plain = (format: 'json' | 'yaml', pretty: boolean): Representation => ({ format, as: 'object', version: 'v1', pretty })
const PLAIN_JSON = plain('json', false)

/**
 * Picks the first acceptable clause of an Accept header. Protobuf is answered in JSON: every client that asks for it
 * decodes by the answer's Content-Type.
 */
export function negotiate(accept: string | undefined, pretty: boolean): Representation {
  if ((accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') && !pretty) return PLAIN_JSON
  for (const clause of (accept ?? '*/*').split(',')) {
    const [media = '', ...parameters] = clause.split(';').map((part) => part.trim())
    const format = formatOf(media.toLowerCase())
    if (format === undefined) continue
    const values = new Map(parameters.map((p) => [p.slice(0, p.indexOf('=')), p.slice(p.indexOf('=') + 1)]))
    const as = values.get('as')
    if (as === undefined) return plain(format, pretty)
    const version = values.get('v') ?? 'v1'
    if (!AS.has(as) || (values.get('g') ?? 'meta.k8s.io') !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) continue
    return { format, as: as as Representation['as'], version, pretty }
  }
  throw notAcceptable(SUPPORTED)
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
