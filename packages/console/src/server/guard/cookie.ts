import type { IncomingMessage, ServerResponse } from 'node:http'

/** The cookie that holds the id of a session. Scripts cannot read it; other sites cannot make a browser send it. */
export interface SessionCookie {
  read(request: IncomingMessage): string | undefined
  set(response: ServerResponse, id: string): void
  clear(response: ServerResponse): void
}

/**
 * Browsers keep cookies by host, not by port: the name carries the port, so that two consoles on one machine do not sign
 * each other out. Over TLS the prefix makes browsers insist on Secure, this host and the whole site.
 */
export function sessionCookie({ secure, port }: { readonly secure: boolean; readonly port: number }): SessionCookie {
  const name = `${secure ? '__Host-' : ''}weft-console-${port}`
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  return {
    read({ headers: { cookie = '' } }) {
      for (const part of cookie.split(';')) {
        const [key, value] = part.trim().split('=', 2)
        if (key === name && value !== undefined && value !== '') return value
      }
      return undefined
    },
    set: (response, id) => void response.setHeader('set-cookie', `${name}=${id}${attributes}`),
    clear: (response) => void response.setHeader('set-cookie', `${name}=${attributes}; Max-Age=0`),
  }
}
