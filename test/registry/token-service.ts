import { createMemoryPki, issueClientCertificate } from '@weft/apiserver'
import { createPrivateKey, sign, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TokenAuth } from './registry-process.ts'

export interface TokenService {
  readonly auth: TokenAuth
  /** Scopes asked for, and by whom (the Authorization header, or undefined). */
  readonly asked: { readonly scope: string; readonly authorization: string | undefined; readonly refreshToken?: string }[]
  stop(): Promise<void>
}

const SERVICE = 'registry.test'
const ISSUER = 'weft-test'

/**
 * Gives tokens as hosted registries do: anybody may pull, `user` with the password `open sesame`, or who shows the refresh token `kept`, may push.
 */
export async function startTokenService(): Promise<TokenService> {
  const { ca } = createMemoryPki()
  const { certificate, key } = issueClientCertificate(ca, { user: ISSUER })
  const chain = [new X509Certificate(certificate).raw.toString('base64')]
  const asked: TokenService['asked'] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const query =
        request.method === 'POST'
          ? new URLSearchParams(Buffer.concat(chunks).toString())
          : new URL(request.url ?? '/', 'http://x').searchParams
      const { authorization } = request.headers
      const refreshToken = query.get('refresh_token')
      asked.push({ scope: query.get('scope') ?? '', authorization, ...(refreshToken !== null && { refreshToken }) })
      const known = authorization === `Basic ${Buffer.from('user:open sesame').toString('base64')}` || refreshToken === 'kept'
      if ((authorization !== undefined || refreshToken !== null) && !known) {
        response.writeHead(401).end('{}')
        return
      }
      const token = tokenFor(query.get('scope') ?? '', known)
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(request.method === 'POST' ? { access_token: token } : { token }))
    })
  })
  const tokenFor = (scope: string, known: boolean): string => {
    const [type = '', name = '', actions = ''] = scope.split(':')
    const granted = actions.split(',').filter((action) => action === 'pull' || known)
    const now = Math.floor(Date.now() / 1000)
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = {
      iss: ISSUER,
      sub: known ? 'user' : '',
      aud: SERVICE,
      iat: now,
      nbf: now - 60,
      exp: now + 300,
      jti: String(asked.length),
      access: [{ type, name, actions: granted }],
    }
    const text = `${part({ typ: 'JWT', alg: 'ES256', x5c: chain })}.${part(claims)}`
    return `${text}.${sign('sha256', Buffer.from(text), { key: createPrivateKey(key), dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const realm = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`
  return {
    auth: { realm, service: SERVICE, issuer: ISSUER, certificate: ca.certificate.toString() },
    asked,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
