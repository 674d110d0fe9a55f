import { type ChannelCredentials, credentials } from '@grpc/grpc-js'

/** Where a server listens. */
export type GrpcTarget =
  /** A socket that only its owner may open needs no encryption. The path is absolute, and at most 107 bytes long. */
  | { readonly type: 'unix'; readonly path: string }
  | { readonly type: 'tcp'; readonly host: string; readonly port: number; readonly tls?: TlsOptions | undefined }

/** PEM. With `key` and `certificate` the server is shown who calls. */
export interface TlsOptions {
  /** Undefined: whom the system trusts. */
  readonly ca?: Uint8Array | undefined
  readonly key?: Uint8Array | undefined
  readonly certificate?: Uint8Array | undefined
  /** The name in the server's certificate, where it is not the host. */
  readonly serverName?: string | undefined
}

export function addressOf(target: GrpcTarget): string {
  if (target.type === 'unix') return `unix:${target.path}`
  const host = target.host.includes(':') ? `[${target.host}]` : target.host
  return `dns:///${host}:${target.port}`
}

export function credentialsOf(target: GrpcTarget): ChannelCredentials {
  if (target.type === 'unix' || target.tls === undefined) return credentials.createInsecure()
  const { ca, key, certificate } = target.tls
  return credentials.createSsl(bufferOf(ca), bufferOf(key), bufferOf(certificate))
}

const bufferOf = (bytes: Uint8Array | undefined): Buffer | null => (bytes === undefined ? null : Buffer.from(bytes))
