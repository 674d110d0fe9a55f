import { formatGroupKind, type GroupVersionKind, StatusError } from '@weft/api'
import { ConnectionError, CredentialError, NoMatchError } from '@weft/client'
import { ExternalError } from '@weft/provider-sdk'

/** What was asked of which cluster, for messages. */
export interface Asked {
  /** `ProviderConfig production`. */
  readonly cluster: string
  /** `get`, `patch`: what a role there has to allow. */
  readonly verb: string
  readonly kind: GroupVersionKind
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  /** The manifest holds something that nobody may read here: what the cluster says about its values is not repeated. */
  readonly sensitive?: boolean | undefined
}

/** No answer came, or none of the cluster itself: trying the next object at once would be in vain. */
export class SilentCluster extends ExternalError {}

/**
 * What a cluster said, as an error that tells its reader what to do. Only what is certainly the word of a Kubernetes API is repeated: the address
 * may be that of something else, whose answers the author of a ProviderConfig may not be allowed to read.
 */
export function clusterErrorOf(error: unknown, asked: Asked): unknown {
  if (error instanceof ExternalError) return error
  if (error instanceof NoMatchError) return unknownKind(asked, error)
  if (error instanceof ConnectionError) return unreachable(error, asked)
  if (error instanceof CredentialError)
    return new ExternalError('Denied', `${asked.cluster}: ${error.message}`, { cause: error, mayHaveTakenEffect: false })
  if (error instanceof Error && error.name === 'TimeoutError')
    return new SilentCluster('Unavailable', `the cluster of ${asked.cluster} does not answer: check that it is running and reachable`, {
      cause: error,
    })
  if (error instanceof StatusError) return answered(error, asked)
  // A body that is not JSON, or headers that no server sends.
  if (error instanceof SyntaxError || error instanceof TypeError)
    return new ExternalError('Unavailable', notKubernetes(asked), { cause: error })
  return error
}

function unreachable(error: ConnectionError, { cluster }: Asked): ExternalError {
  const { code = '' } = (error.cause ?? {}) as { code?: string }
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL/.test(code)
  const why = certificate
    ? `is not trusted (${code}): put its certificate authority into certificate-authority-data of the kubeconfig`
    : code === 'EFORBIDDEN'
      ? 'is at an address where none can be, or where it may not be for a namespace: check what the name in "server" of its kubeconfig leads to'
      : code === 'EANSWERTOOLARGE'
        ? 'answers more than any object can be: check that "server" in the kubeconfig is the address of a Kubernetes API'
        : `cannot be reached${/^[A-Z0-9_]+$/.test(code) ? ` (${code})` : ''}: check "server" in its kubeconfig, and that the cluster is running`
  return new SilentCluster('Unavailable', `the cluster of ${cluster} ${why}`, {
    cause: error,
    mayHaveTakenEffect: error.mayHaveTakenEffect,
  })
}

function answered(error: StatusError, asked: Asked): ExternalError {
  const { cluster, verb, kind, namespace } = asked
  const where = namespace === undefined || namespace === '' ? '' : ` in namespace ${namespace}`
  const what = formatGroupKind(kind)
  const said = wordsOf(error, asked)
  switch (error.code) {
    case 401:
      return new ExternalError('Denied', `the cluster of ${cluster} does not accept its credentials: put valid ones into its secret`)
    case 403:
      return new ExternalError(
        'Denied',
        `the credentials of ${cluster} may not ${verb} a ${what}${where}: grant them that on the cluster${said}`,
      )
    case 404:
      return new ExternalError('DependencyViolation', `something that it needs is missing on the cluster of ${cluster}${said}`)
    case 409:
      return error.reason === 'AlreadyExists'
        ? new ExternalError('AlreadyExists', `the ${what} exists on the cluster of ${cluster}`)
        : new ExternalError('Unavailable', `it changed on the cluster of ${cluster} at the same time${said}`, { mayHaveTakenEffect: false })
    case 429: {
      const seconds = error.status.details?.retryAfterSeconds ?? 1
      return new ExternalError('Throttled', `the cluster of ${cluster} asks to slow down`, { retryAfterMs: Math.min(seconds, 60) * 1000 })
    }
    default:
      if (!isTheirWord(error)) return new ExternalError('Unavailable', notKubernetes(asked), { cause: error })
      return error.code >= 500
        ? new ExternalError('Unavailable', `the cluster of ${cluster} has a fault${said}`, { cause: error })
        : new ExternalError('Invalid', `the cluster of ${cluster} refuses the ${what}${said}`)
  }
}

function unknownKind({ cluster, kind }: Asked, cause: NoMatchError): ExternalError {
  const version = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
  return new ExternalError(
    'DependencyViolation',
    `the cluster of ${cluster} serves no kind ${kind.kind} of ${version}: correct apiVersion and kind of the manifest, or install the kind there`,
    { cause },
  )
}

const notKubernetes = ({ cluster }: Asked): string =>
  `what answers for ${cluster} is not a Kubernetes API: check "server" in its kubeconfig`

const MAX_WORDS = 1_000
const UNEXPECTED = 'UnexpectedServerResponse'

/** Did a Status come, or did we make one of an answer that was none? */
const isTheirWord = ({ status }: StatusError): boolean => !(status.details?.causes ?? []).some(({ reason }) => reason === UNEXPECTED)

function wordsOf(error: StatusError, { sensitive }: Asked): string {
  if (!isTheirWord(error)) return ''
  const text = sensitive === true ? fieldsOf(error) : error.message
  if (text === '') return ''
  // No control characters: it is shown in terminals.
  const plain = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return `: ${plain.length > MAX_WORDS ? `${plain.slice(0, MAX_WORDS)}…` : plain}`
}

/** Messages quote values; the names of the fields do not. */
const fieldsOf = ({ status }: StatusError): string =>
  (status.details?.causes ?? []).map(({ reason = '', field = '' }) => `${field} ${reason}`.trim()).join(', ')
