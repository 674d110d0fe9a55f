import { randomBytes, randomInt } from 'node:crypto'
import { getOwn, type JsonObject, setOwn, stringifyJson } from '@weft/api'
import type { Detail, Generator, SimulatedKind } from '../../catalogue/simulated-kind.ts'
import { expand } from '../../catalogue/template.ts'
import { type ClusterIdentity, newClusterIdentity } from './certificates.ts'
import { valueAt } from './parameter-path.ts'

/** What details are made of. */
export interface DetailSource {
  readonly name: string
  readonly account: string
  readonly id: string
  readonly parameters: JsonObject
  readonly now: number
}

type Values = Readonly<Record<string, string>>

/** Outputs and connection details of a new resource. */
export function newDetails(kind: SimulatedKind, source: DetailSource): { outputs: Values; connection: Values } {
  const generate = generatorFor(source)
  const outputs = valuesOf(kind.outputs, source, generate, { outputs: {}, connection: {} }, 'outputs')
  return { outputs, connection: valuesOf(kind.connection, source, generate, { outputs, connection: {} }, 'connection') }
}

/** New secrets, everything else as before. Templates that quote a secret follow it. */
export function rotatedConnection(kind: SimulatedKind, source: DetailSource, outputs: Values, before: Values): Values {
  const generate = generatorFor(source)
  const keep = (detail: Detail): string | undefined =>
    detail.value.type === 'generate' && !detail.rotates ? getOwn(before, detail.name) : undefined
  return valuesOf(kind.connection, source, generate, { outputs, connection: {} }, 'connection', keep)
}

function valuesOf(
  details: readonly Detail[],
  source: DetailSource,
  generate: (generator: Generator) => string,
  known: { outputs: Values; connection: Values },
  into: 'outputs' | 'connection',
  keep: (detail: Detail) => string | undefined = () => undefined,
): Values {
  const values: Record<string, string> = {}
  const scope = { ...known, [into]: values }
  for (const detail of details) {
    setOwn(values, detail.name, keep(detail) ?? valueOf(detail, source, generate, scope))
  }
  return values
}

type Scope = Readonly<Record<'outputs' | 'connection', Values>>

function valueOf({ value }: Detail, source: DetailSource, generate: (generator: Generator) => string, scope: Scope): string {
  switch (value.type) {
    case 'generate':
      return generate(value.generator)
    case 'template':
      return expand(value.template, (name) => variable(name, source, scope))
    case 'choose': {
      const given = text(valueAt(source.parameters, value.field)) ?? ''
      return value.prefixes.find(([prefix]) => given.startsWith(prefix))?.[1] ?? value.otherwise
    }
  }
}

function variable(name: string, source: DetailSource, scope: Scope): string | undefined {
  const dot = name.indexOf('.')
  const rest = name.slice(dot + 1)
  switch (dot < 0 ? name : name.slice(0, dot)) {
    case 'name':
      return source.name
    case 'account':
      return source.account
    case 'id':
      return source.id
    case 'shortId':
      return source.id.slice(-12)
    case 'parameters':
      return text(valueAt(source.parameters, rest))
    case 'outputs':
      return getOwn(scope.outputs, rest)
    case 'connection':
      return getOwn(scope.connection, rest)
    default:
      return undefined
  }
}

const text = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : stringifyJson(value)

/** One certificate authority per resource, made when the first detail asks for it. */
function generatorFor({ name, now }: DetailSource): (generator: Generator) => string {
  let identity: ClusterIdentity | undefined
  return (generator) => {
    switch (generator) {
      case 'password':
        return randomBytes(24).toString('base64url')
      case 'token':
        return randomBytes(32).toString('hex')
      case 'ipv4':
        // 203.0.113.0/24 and 198.51.100.0/24 are set aside for examples: nothing real answers there.
        return `${randomInt(2) === 0 ? '203.0.113' : '198.51.100'}.${randomInt(1, 255)}`
      case 'clusterCertificate':
      case 'clientCertificate':
      case 'clientKey':
        identity ??= newClusterIdentity(name, now)
        return identity[generator]
    }
  }
}
