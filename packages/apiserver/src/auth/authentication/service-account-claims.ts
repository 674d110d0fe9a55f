import { isJsonObject, type JsonObject } from '@weft/api'

/** The object that a token dies with. */
export interface BoundObject {
  readonly kind: 'Pod' | 'Secret' | 'Node'
  readonly name: string
  readonly uid: string
}

/** Claims of a service-account token, as Kubernetes lays them out. Times are seconds. */
export interface ServiceAccountClaims {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly subject: string
  readonly id: string
  readonly issuedAt: number
  readonly notBefore: number
  readonly expiry: number
  readonly namespace: string
  readonly serviceAccount: { readonly name: string; readonly uid: string }
  readonly bound?: BoundObject
  /** Where a pod-bound token's pod runs; informational. */
  readonly node?: { readonly name: string; readonly uid?: string }
  readonly warnAfter?: number
}

export function encodeClaims(claims: ServiceAccountClaims): JsonObject {
  const { bound, node } = claims
  return {
    aud: claims.audiences,
    exp: claims.expiry,
    iat: claims.issuedAt,
    iss: claims.issuer,
    jti: claims.id,
    'kubernetes.io': {
      namespace: claims.namespace,
      ...(bound !== undefined && { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } }),
      ...(node !== undefined && { node: { name: node.name, ...(node.uid !== undefined && { uid: node.uid }) } }),
      serviceaccount: { name: claims.serviceAccount.name, uid: claims.serviceAccount.uid },
      ...(claims.warnAfter !== undefined && { warnafter: claims.warnAfter }),
    },
    nbf: claims.notBefore,
    sub: claims.subject,
  }
}

/** Undefined when a claim that every token of ours has is absent or of the wrong type. */
export function decodeClaims(json: JsonObject): ServiceAccountClaims | undefined {
  const own = json['kubernetes.io']
  if (!isJsonObject(own)) return undefined
  const account = reference(own['serviceaccount'])
  const namespace = own['namespace']
  const { iss, sub, jti, aud, exp, nbf, iat } = json
  const audiences = typeof aud === 'string' ? [aud] : aud
  if (account === undefined || typeof namespace !== 'string' || !isStrings(audiences)) return undefined
  if (typeof iss !== 'string' || typeof sub !== 'string' || typeof exp !== 'number') return undefined
  const pod = reference(own['pod'])
  const secret = reference(own['secret'])
  const node = reference(own['node'])
  const bound = pod
    ? { kind: 'Pod' as const, ...pod }
    : secret
      ? { kind: 'Secret' as const, ...secret }
      : node
        ? { kind: 'Node' as const, ...node }
        : undefined
  return {
    issuer: iss,
    subject: sub,
    audiences,
    expiry: exp,
    id: typeof jti === 'string' ? jti : '',
    issuedAt: typeof iat === 'number' ? iat : 0,
    notBefore: typeof nbf === 'number' ? nbf : 0,
    namespace,
    serviceAccount: account,
    ...(bound !== undefined && { bound }),
    ...(pod !== undefined && node !== undefined && { node }),
    ...(typeof own['warnafter'] === 'number' && { warnAfter: own['warnafter'] }),
  }
}

function reference(value: unknown): { name: string; uid: string } | undefined {
  if (!isJsonObject(value) || typeof value['name'] !== 'string') return undefined
  return { name: value['name'], uid: typeof value['uid'] === 'string' ? value['uid'] : '' }
}

const isStrings = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === 'string')
