/** URLs as Go's `url.ParseRequestURI` reads them: an absolute URL or an absolute path. */
export interface ParsedUrl {
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: string
}

/** The parsed URL, or why the text is none. */
export function parseRequestUri(raw: string): ParsedUrl | { readonly error: string } {
  const fail = (why: string): { error: string } => ({ error: `parse ${JSON.stringify(raw)}: ${why}` })
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\x00-\x1f\x7f]/.test(raw)) return fail('net/url: invalid control character in URL')
  if (raw === '') return fail('empty url')
  if (raw === '*') return { scheme: '', host: '', path: '*', query: '' }
  const hash = raw
  if (hash.startsWith(':')) return fail('missing protocol scheme')
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(hash)?.[1] ?? ''
  let rest = scheme === '' ? hash : hash.slice(scheme.length + 1)
  const mark = rest.indexOf('?')
  const query = mark < 0 ? '' : rest.slice(mark + 1)
  if (mark >= 0) rest = rest.slice(0, mark)
  if (!rest.startsWith('/'))
    return scheme === '' ? fail('invalid URI for request') : { scheme: scheme.toLowerCase(), host: '', path: '', query }
  let host = ''
  if (scheme !== '' && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2)
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash)
    rest = slash < 0 ? '' : rest.slice(slash)
    host = authority.slice(authority.lastIndexOf('@') + 1)
    const problem = hostProblem(host)
    if (problem !== undefined) return fail(problem)
  }
  const bad = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(rest)
  if (bad !== null) return fail(`invalid URL escape ${JSON.stringify(bad[0])}`)
  return { scheme: scheme.toLowerCase(), host, path: rest, query }
}

function hostProblem(host: string): string | undefined {
  if (host.startsWith('[')) {
    const close = host.lastIndexOf(']')
    if (close < 0) return "missing ']' in host"
    const port = host.slice(close + 1)
    return port === '' || /^:\d*$/.test(port) ? undefined : `invalid port ${JSON.stringify(port)} after host`
  }
  const colon = host.lastIndexOf(':')
  if (colon >= 0 && !/^:\d*$/.test(host.slice(colon))) return `invalid port ${JSON.stringify(host.slice(colon))} after host`
  const bad = /[ "<>\\^`{|}#]/.exec(host)
  return bad === null ? undefined : `invalid character ${JSON.stringify(bad[0])} in host name`
}

export function hostName(host: string): string {
  if (host.startsWith('[')) return host.slice(1, host.indexOf(']'))
  const colon = host.lastIndexOf(':')
  return colon < 0 ? host : host.slice(0, colon)
}

export function port(host: string): string {
  return /:(\d*)$/.exec(host.slice(host.lastIndexOf(']') + 1))?.[1] ?? ''
}

/** The path as it was written, or encoded anew when it has characters that must not stand in a path. */
export function escapedPath(path: string): string {
  if (/^[-A-Za-z0-9_.~$&+,/:;=@!'()*[\]%]*$/.test(path)) return path
  return encodeURIComponent(safeDecode(path)).replace(/%(?:24|26|2B|2C|2F|3A|3B|3D|40)/g, decodeURIComponent)
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The query by key; pairs that do not decode are left out, as in Go. */
export function queryValues(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue
    const equals = pair.indexOf('=')
    const key = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1))
    if (key === undefined || value === undefined) continue
    values.set(key, [...(values.get(key) ?? []), value])
  }
  return values
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
