import { Refusal } from '../answer.ts'

/** What of a server is its API. The rest (health, metrics, debugging, backups) is no business of a browser. */
const ROOTS = new Set(['api', 'apis', 'openapi', 'version'])
/** These answer with whatever runs in a cluster: pages of it must never be shown under the console's origin. */
const TUNNELS = new Set(['proxy', 'exec', 'attach', 'portforward'])
const MAX_LENGTH = 8192

/**
 * The path and query to ask the API for, from what followed `/k8s` in a request: taken apart, checked and put together
 * again, so that nothing that two programs could read in two ways is passed on.
 */
export function apiPath(target: string): string {
  if (target.length > MAX_LENGTH) throw new Refusal(414, 'BadRequest', 'the address is too long')
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/').map(decoded)
  if (!ROOTS.has(segments[0] ?? '')) throw new Refusal(404, 'NotFound', 'this is not a path of the Kubernetes API')
  if (isTunnel(segments)) throw new Refusal(403, 'Forbidden', 'the console does not open connections into a cluster')
  return `/${segments.map(encodeURIComponent).join('/')}${mark < 0 ? '' : checkedQuery(target.slice(mark))}`
}

function decoded(segment: string): string {
  const refused = (): Refusal => new Refusal(400, 'BadRequest', 'the address is malformed')
  let text: string
  try {
    text = decodeURIComponent(segment)
  } catch {
    throw refused()
  }
  if (text === '' || text === '.' || text === '..' || /[/\\%\u0000-\u001f\u007f]/.test(text)) throw refused()
  return text
}

/** A subresource, not an object of that name: `…/pods/NAME/proxy`. */
function isTunnel([root, ...rest]: readonly string[]): boolean {
  const inVersion = root === 'api' ? rest.slice(1) : root === 'apis' ? rest.slice(2) : []
  const inScope = inVersion[0] === 'namespaces' && inVersion.length > 3 ? inVersion.slice(2) : inVersion
  return TUNNELS.has(inScope[2] ?? '')
}

function checkedQuery(query: string): string {
  if (!/^\?[\x21-\x7e]*$/.test(query) || query.includes('#')) throw new Refusal(400, 'BadRequest', 'the address is malformed')
  return query
}
