import { isJsonObject, type JsonObject } from '@weft/api'
import { isLoopback, PackageError, send } from '@weft/xpkg'

/** Documents of registries are small; one that is not is no such document. */
const DOCUMENT_BYTES = 16 * 2 ** 20

export interface DocumentOptions {
  readonly signal: AbortSignal
  /** For messages: what is being read. */
  readonly what: string
  /** Goes to the host that was asked only. */
  readonly token?: string | undefined
}

/** The bytes at an address; undefined where there are none (404). */
export async function readDocument(url: URL, { signal, what, token }: DocumentOptions): Promise<Uint8Array | undefined> {
  mustBePrivate(url, what)
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const { status, body } = await send({ method: 'GET', url, headers, maxBytes: DOCUMENT_BYTES, signal })
  if (status === 200) return body
  if (status === 404 || status === 410) return undefined
  if (status === 401 || status === 403)
    throw new PackageError('Unauthorized', `${what}: ${url.host} refused the credentials (HTTP ${status})`)
  throw new PackageError('Unavailable', `${what}: ${url.host} answered HTTP ${status}`)
}

export async function readJson(url: URL, options: DocumentOptions): Promise<JsonObject | undefined> {
  const bytes = await readDocument(url, options)
  if (bytes === undefined) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    if (isJsonObject(value)) return value
  } catch {
    // Said below.
  }
  throw new PackageError('Malformed', `${options.what}: ${url.host}${url.pathname} is not the JSON document that it should be`)
}

/** What is run here must not be changed on its way: only this machine may be asked without TLS. */
export function mustBePrivate(url: URL, what: string): void {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return
  throw new PackageError('NotAllowed', `${what}: ${url.protocol}//${url.host} is not used: only https is secure`)
}
