import { X509Certificate } from 'node:crypto'
import { hasReason, StatusError } from '@weft/api'
import { type ConnectionConfig, ConnectionError, KubeconfigError, NoMatchError } from '@weft/client'
import { CommandFailure } from '../report.ts'
import { type KubeconfigLocation, upCommandFor } from './find-kubeconfig.ts'
import { readableMessage } from './readable-message.ts'

/** What was being talked to when it failed. */
export interface FailureContext {
  readonly location: KubeconfigLocation
  readonly connection?: ConnectionConfig | undefined
  readonly context?: string | undefined
}

/** Turns a failure to reach, trust or be known to the server into one line that says what to do, and its refusals into readable ones. */
export function explainFailure(error: unknown, context: FailureContext): unknown {
  const message = explanationOf(error, context)
  return message === undefined ? error : new CommandFailure(message, { cause: error })
}

function explanationOf(error: unknown, context: FailureContext): string | undefined {
  if (error instanceof KubeconfigError) return kubeconfigProblem(error, context)
  if (error instanceof ConnectionError) return connectionProblem(error, context)
  if (hasReason(error, 'Unauthorized')) return unauthorized(context)
  if (error instanceof NoMatchError)
    return `${error.message}: the server does not serve it; apply its definition first, or see \`weft api-resources\``
  return error instanceof StatusError ? readableMessage(error.message) : undefined
}

function kubeconfigProblem(error: KubeconfigError, { location }: FailureContext): string {
  switch (error.code) {
    case 'Unreadable':
      return `${error.message}; name another with --kubeconfig, or start a control plane here with \`weft up\``
    case 'NoContext':
      return `${error.message}; choose one of the file’s with --context`
    case 'NotInCluster':
    case 'Unsupported':
      return error.message
    default:
      return `${error.message}; correct ${location.paths.join(', ')}`
  }
}

/** TLS and socket errors, by what a person can do about them. */
function connectionProblem(error: ConnectionError, context: FailureContext): string {
  const { location, connection } = context
  const server = connection?.server ?? 'the server'
  const file = location.paths.join(', ')
  const code = String((error.cause as { code?: unknown } | undefined)?.code ?? '')
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `the certificate of ${server} is ${code === 'CERT_HAS_EXPIRED' ? 'expired' : 'not valid yet'}: ${renewal(location)}`
  if (/^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_)/.test(code))
    return `${server} is not the server that ${file} trusts (${code}): use its current kubeconfig`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of ${server} is for another name: start the control plane with \`weft up --cert-host NAME\`, or use its own address`
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code))
    return `${server} refused the TLS connection (${code}): ${clientCertificateProblem(connection) ?? `check the address and the certificates in ${file}`}`
  if (location.dataDir !== undefined)
    return `no control plane answers at ${server} (${code || 'no answer'}): start it with \`${upCommandFor(location.dataDir)}\``
  return `cannot reach ${server} (${code || error.message}): check that it runs and that ${file} is right, or start one here with \`weft up\``
}

function unauthorized(context: FailureContext): string {
  const { location, connection } = context
  const file = location.paths.join(', ')
  const why = clientCertificateProblem(connection)
  if (why !== undefined) return `${connection?.server ?? 'the server'} does not accept you: ${why}`
  return `${connection?.server ?? 'the server'} does not accept the credentials in ${file}: they are wrong or have expired; get a new kubeconfig${location.dataDir === undefined ? '' : ', which `weft up` writes when it starts'}`
}

/** Servers say "Unauthorized" and no more; the certificate itself says why. */
function clientCertificateProblem(connection: ConnectionConfig | undefined): string | undefined {
  if (connection?.cert === undefined) return undefined
  try {
    const { validTo, validFrom } = new X509Certificate(connection.cert)
    const now = Date.now()
    if (Date.parse(validTo) < now) return `the client certificate expired on ${validTo}; get a new kubeconfig`
    if (Date.parse(validFrom) > now) return `the client certificate is not valid before ${validFrom}; check the clock of this machine`
    return undefined
  } catch {
    return 'the client certificate cannot be read; get a new kubeconfig'
  }
}

const renewal = ({ dataDir }: KubeconfigLocation): string =>
  dataDir === undefined ? 'ask who runs it to renew it' : 'restart the control plane (`weft up` renews its certificates)'
