import {
  badRequest,
  conflict,
  field,
  type FieldError,
  formatTime,
  invalid,
  isJsonObject,
  type KubeObject,
  notFound,
  parseGroupVersion,
  specOf,
} from '@weft/api'
import type { Clock } from '../../pki/index.ts'
import type { BoundObject } from './service-account-claims.ts'
import { type LiveObject, MIN_TOKEN_SECONDS, type ServiceAccountTokens } from './service-account-tokens.ts'

const GROUP = 'authentication.k8s.io'
const DEFAULT_SECONDS = 3600
const MAX_SECONDS = 2 ** 32

export interface TokenRequestContext {
  readonly tokens: ServiceAccountTokens
  /** The account in the URL; the caller has found it. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string; readonly uid: string }
  /** Finds the object that the token is to be bound to. */
  boundObject(
    kind: BoundObject['kind'],
    namespace: string,
    name: string,
  ): (LiveObject & { readonly serviceAccountName?: string }) | undefined
  /** Longer lives are cut to this. */
  readonly maxExpirationSeconds?: number
  readonly clock?: Clock
}

export interface TokenRequestResult {
  readonly object: KubeObject
  readonly warnings: readonly string[]
  /** For the audit log: which credential was issued. */
  readonly credentialId: string
}

/** POST serviceaccounts/{name}/token: the object with `status.token`. Throws the StatusError to answer with. */
export function evaluateTokenRequest(request: KubeObject, context: TokenRequestContext): TokenRequestResult {
  const { tokens, serviceAccount, maxExpirationSeconds, clock = Date } = context
  checkIdentity(request, context)
  const spec = specOf(request)
  const asked = typeof spec['expirationSeconds'] === 'number' ? spec['expirationSeconds'] : DEFAULT_SECONDS
  const audiences =
    Array.isArray(spec['audiences']) && spec['audiences'].length > 0 ? (spec['audiences'] as readonly string[]) : tokens.audiences
  const errors = lifeErrors(asked)
  if (errors.length > 0) throw invalid({ group: GROUP, kind: 'TokenRequest', name: '' }, errors)
  const bound = isJsonObject(spec['boundObjectRef']) ? resolveBound(spec['boundObjectRef'], context) : undefined
  const cut = maxExpirationSeconds !== undefined && asked > maxExpirationSeconds
  const expirationSeconds = cut ? maxExpirationSeconds : asked
  const now = clock.now()
  const issued = tokens.issueServiceAccountToken({
    ...serviceAccount,
    audiences,
    expirationSeconds,
    ...(bound !== undefined && { boundObjectRef: bound }),
  })
  const object: KubeObject = {
    apiVersion: `${GROUP}/v1`,
    kind: 'TokenRequest',
    metadata: { ...request.metadata, ...serviceAccount, creationTimestamp: formatTime(now) },
    spec: { ...spec, audiences, expirationSeconds, boundObjectRef: spec['boundObjectRef'] ?? null },
    status: { token: issued.token, expirationTimestamp: formatTime(now + expirationSeconds * 1000) },
  }
  const warnings = cut ? [`requested expiration of ${asked} seconds shortened to ${expirationSeconds} seconds`] : []
  return { object, warnings, credentialId: `JTI=${issued.id}` }
}

/** Name, namespace and uid may be left out of the body, but not contradict the URL. */
function checkIdentity({ metadata }: KubeObject, { serviceAccount }: TokenRequestContext): void {
  const { namespace, name, uid } = serviceAccount
  const refuse = (error: FieldError): Error => invalid({ group: GROUP, kind: 'TokenRequest', name }, [error])
  if (metadata?.name && metadata.name !== name)
    throw refuse(field.invalid('metadata.name', metadata.name, 'must match the service account name if specified'))
  if (metadata?.namespace && metadata.namespace !== namespace)
    throw refuse(field.invalid('metadata.namespace', metadata.namespace, 'must match the service account namespace if specified'))
  if (metadata?.uid && metadata.uid !== uid)
    throw conflict(
      { group: GROUP, resource: 'TokenRequest', name },
      `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`,
    )
}

function lifeErrors(seconds: number): FieldError[] {
  const path = 'spec.expirationSeconds'
  if (seconds < MIN_TOKEN_SECONDS) return [field.invalid(path, seconds, 'may not specify a duration less than 10 minutes')]
  if (seconds > MAX_SECONDS) return [field.invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds')]
  return []
}

function resolveBound(ref: Readonly<Record<string, unknown>>, { serviceAccount, boundObject }: TokenRequestContext): BoundObject {
  const text = (key: string): string => (typeof ref[key] === 'string' ? ref[key] : '')
  const { group, version } = parseGroupVersion(text('apiVersion'))
  const kind = text('kind')
  if (group !== '' || (kind !== 'Pod' && kind !== 'Secret' && kind !== 'Node'))
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`)
  const name = text('name')
  if (name === '') throw badRequest('Name parameter required.')
  const found = boundObject(kind, kind === 'Node' ? '' : serviceAccount.namespace, name)
  if (found === undefined) throw notFound({ group: '', resource: `${kind.toLowerCase()}s`, name })
  if (kind === 'Pod' && found.serviceAccountName !== serviceAccount.name)
    throw badRequest(`cannot bind token for serviceaccount "${serviceAccount.name}" to pod running with different serviceaccount name.`)
  const uid = text('uid')
  if (uid !== '' && uid !== found.uid)
    throw conflict(
      { group: '', resource: kind, name },
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    )
  return { kind, name, uid: found.uid }
}
