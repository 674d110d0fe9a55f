import type { IncomingMessage } from 'node:http'
import { Refusal } from '../answer.ts'

/** The console as browsers know it: which names it answers to, and which pages may ask it for something. */
export interface Site {
  /** `http://127.0.0.1:6480` */
  readonly address: string
  /**
   * Refuses requests that were meant for somebody else: a page elsewhere whose name was made to point here (DNS
   * rebinding) has its own name in Host.
   */
  checkHost(request: IncomingMessage): void
  /** Refuses requests of pages of other origins. What changes something must say where it comes from. */
  checkOrigin(request: IncomingMessage): void
}

export interface SiteOptions {
  readonly secure: boolean
  readonly host: string
  readonly port: number
  /** Further names. */
  readonly names?: readonly string[]
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|localhost|::1|\[::1\])$/.test(host)

export function siteOf({ secure, host, port, names = [] }: SiteOptions): Site {
  const scheme = secure ? 'https' : 'http'
  const defaultPort = secure ? 443 : 80
  const authorities = new Set(
    [bracketed(host), ...names.map(bracketed), ...LOOPBACK].flatMap((name) => [
      `${name.toLowerCase()}:${port}`,
      ...(port === defaultPort ? [name.toLowerCase()] : []),
    ]),
  )
  // An address that means every interface is none that a browser can open.
  const shown = host === '0.0.0.0' || host === '::' ? (names[0] ?? '127.0.0.1') : host
  return {
    address: `${scheme}://${bracketed(shown)}:${port}`,
    checkHost({ headers: { host: given = '' } }) {
      if (!authorities.has(given.toLowerCase()))
        throw new Refusal(421, 'Misdirected', `this console is not served under this name; open ${scheme}://${bracketed(shown)}:${port}/`)
    },
    checkOrigin({ method = 'GET', headers }) {
      const from = headers['sec-fetch-site']
      const safe = method === 'GET' || method === 'HEAD'
      const origin = headers.origin
      const own = `${scheme}://${(headers.host ?? '').toLowerCase()}`
      // Browsers say where a request comes from; "none" is a person at the address bar, who cannot send anything else than GET.
      const foreign = from !== undefined && from !== 'same-origin' && !(safe && from === 'none')
      if (foreign || (origin !== undefined && origin.toLowerCase() !== own) || (!safe && origin === undefined))
        throw new Refusal(403, 'Forbidden', 'this request did not come from a page of the console')
    },
  }
}

const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
