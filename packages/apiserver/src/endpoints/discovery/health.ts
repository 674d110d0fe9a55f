import { messageOf } from '@weft/api'
import type { ApiResponse } from '../exchange.ts'
import type { PathHandler } from '../server.ts'
import { text } from './document.ts'

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz'

/** One named question about the server's health. Asked on every probe, so it must be quick. */
export interface HealthCheck {
  readonly name: string
  /** undefined: healthy. Otherwise the reason, which is reported to `onFailure` and kept from clients. A throw is a failure, too. */
  check(): string | undefined
  /** Where it counts; everywhere unless told. A check that restarting cannot cure must not be part of `livez`. */
  readonly endpoints?: readonly HealthEndpoint[]
}

export interface HealthFailure {
  readonly endpoint: HealthEndpoint
  readonly name: string
  readonly reason: string
}

/** The checks that probes ask for, in the order in which they were added. */
export class HealthChecks {
  readonly #checks: HealthCheck[] = [{ name: 'ping', check: () => undefined }]
  readonly #onFailure: (failure: HealthFailure) => void

  constructor(checks: readonly HealthCheck[] = [], onFailure: (failure: HealthFailure) => void = () => undefined) {
    this.#checks.push(...checks)
    this.#onFailure = onFailure
  }

  /** The returned function takes the check away again. */
  add(check: HealthCheck): () => void {
    this.#checks.push(check)
    return () => {
      const at = this.#checks.indexOf(check)
      if (at >= 0) this.#checks.splice(at, 1)
    }
  }

  of(endpoint: HealthEndpoint): readonly HealthCheck[] {
    return this.#checks.filter(({ endpoints }) => endpoints === undefined || endpoints.includes(endpoint))
  }

  /** Why a check fails, or undefined. */
  run(endpoint: HealthEndpoint, check: HealthCheck): string | undefined {
    const reason = outcome(check)
    if (reason !== undefined) this.#onFailure({ endpoint, name: check.name, reason })
    return reason
  }

  /** For the index of paths. */
  paths(): string[] {
    return ENDPOINTS.flatMap((endpoint) => [`/${endpoint}`, ...this.of(endpoint).map(({ name }) => `/${endpoint}/${name}`)])
  }
}

const ENDPOINTS: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz']

function outcome(check: HealthCheck): string | undefined {
  try {
    return check.check()
  } catch (error) {
    return messageOf(error)
  }
}

/** `/healthz`, `/livez`, `/readyz`, `?verbose`, `?exclude=name` and `/healthz/name`, worded as kube-apiserver does. */
export function healthHandler(checks: HealthChecks): PathHandler {
  return (request, { path }) => {
    const endpoint = ENDPOINTS.find((name) => path === `/${name}` || path.startsWith(`/${name}/`))
    if (endpoint === undefined) return undefined
    const name = path.slice(endpoint.length + 2)
    if (name === '') return all(checks, endpoint, request.query)
    const check = checks.of(endpoint).find((candidate) => candidate.name === name)
    return check && one(checks, endpoint, check)
  }
}

function one(checks: HealthChecks, endpoint: HealthEndpoint, check: HealthCheck): ApiResponse {
  const reason = checks.run(endpoint, check)
  return reason === undefined ? text(200, 'ok') : text(500, `internal server error: ${reason}\n`)
}

function all(checks: HealthChecks, endpoint: HealthEndpoint, query: URLSearchParams): ApiResponse {
  const excluded = new Set(
    query
      .getAll('exclude')
      .flatMap((names) => names.split(','))
      .filter((name) => name !== ''),
  )
  let failed = false
  let output = ''
  for (const check of checks.of(endpoint)) {
    if (excluded.delete(check.name)) output += `[+]${check.name} excluded: ok\n`
    else if (checks.run(endpoint, check) === undefined) output += `[+]${check.name} ok\n`
    else {
      failed = true
      output += `[-]${check.name} failed: reason withheld\n`
    }
  }
  if (excluded.size > 0) {
    const names = [...excluded].map((name) => JSON.stringify(name)).join(', ')
    output += `warn: some health checks cannot be excluded: no matches for ${names}\n`
  }
  if (failed) return text(500, `${output}${endpoint} check failed\n`)
  return text(200, query.has('verbose') ? `${output}${endpoint} check passed\n` : 'ok')
}
