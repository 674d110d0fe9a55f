import type { GrpcTarget, TlsOptions } from '@weft/grpc'

/** `localhost:9443`, `dns:///service.namespace:9443`, `[::1]:9443` or `unix:/path/to/socket`. Undefined when it is none of them. */
export function parseFunctionAddress(text: string, tls?: TlsOptions): GrpcTarget | undefined {
  const socket = /^unix:(?:\/\/)?(\/.+)$/.exec(text)?.[1]
  if (socket !== undefined) return { type: 'unix', path: socket }
  const match = /^(?:(?:dns|passthrough):\/{0,3})?(?:\[([0-9a-fA-F:.]+)\]|([^\s/:[\]]+)):(\d{1,5})$/.exec(text)
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3])
  if (host === undefined || !(port > 0 && port < 65536)) return undefined
  return { type: 'tcp', host, port, ...(tls !== undefined && { tls }) }
}

export const addressText = (target: GrpcTarget): string => (target.type === 'unix' ? target.path : `${target.host}:${target.port}`)
