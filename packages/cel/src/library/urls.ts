import { STRING_FACTOR, scale } from '../cost/interval.ts'
import { Fault } from '../eval/fault.ts'
import { ArrayList, EntryMap, OpaqueValue, sizeOf, type MapKey, type Value } from '../eval/value.ts'
import { BOOL, STRING, listType, mapType, opaqueType, type OpaqueType } from '../types/type.ts'
import { fn, memberOverload, overload, type FunctionDecl, type Library, type Overload } from './library.ts'
import { escapedPath, hostName, parseRequestUri, port, queryValues, type ParsedUrl } from './url.ts'

/** `url(text)`, `isURL(text)` and the parts of a URL. */
const URL_TYPE: OpaqueType = opaqueType('kubernetes.URL')

class UrlValue extends OpaqueValue {
  readonly type: OpaqueType = URL_TYPE
  readonly raw: string
  readonly url: ParsedUrl
  constructor(raw: string, url: ParsedUrl) {
    super()
    this.raw = raw
    this.url = url
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof UrlValue && other.raw === this.raw
  }
}

function toUrl(text: string): UrlValue {
  const parsed = parseRequestUri(text)
  if ('error' in parsed) throw new Fault(`URL parse error during conversion from string: ${parsed.error}`)
  return new UrlValue(text, parsed)
}

function query(value: UrlValue): Value {
  const entries = new Map<MapKey, readonly [Value, Value]>()
  for (const [key, values] of queryValues(value.url.query)) entries.set(key, [key, new ArrayList(values)])
  return new EntryMap(entries)
}

const parsing: Pick<Overload, 'cost' | 'estimate'> = {
  cost: ([text]) => Math.ceil(sizeOf(text as Value) * STRING_FACTOR),
  estimate: ({ args: [text] }) => (text === undefined ? undefined : { cost: scale(text.size, STRING_FACTOR), size: text.size }),
}

const part = (name: string, read: (url: ParsedUrl) => string): FunctionDecl =>
  fn(
    name,
    memberOverload(`url_${name}`, [URL_TYPE], STRING, (value: UrlValue) => read(value.url)),
  )

export const URLS: Library = {
  name: 'kubernetes.urls',
  types: { 'kubernetes.URL': URL_TYPE },
  functions: [
    fn('url', overload('string_to_url', [STRING], URL_TYPE, toUrl, parsing)),
    fn(
      'isURL',
      overload('is_url_string', [STRING], BOOL, (text: string) => !('error' in parseRequestUri(text))),
    ),
    part('getScheme', (url) => url.scheme),
    part('getHost', (url) => url.host),
    part('getHostname', (url) => hostName(url.host)),
    part('getPort', (url) => port(url.host)),
    part('getEscapedPath', (url) => escapedPath(url.path)),
    fn('getQuery', memberOverload('url_get_query', [URL_TYPE], mapType(STRING, listType(STRING)), query)),
  ],
}
