import { deepEqual, isJsonObject } from '@weft/api'
import type { Client } from '@weft/client'
import { imageConfigOf } from './image-configs.ts'
import { type AppliedImageConfig, type RevisionObject, type RuntimeConfig, runtimeConfigKind } from './kinds.ts'
import type { RuntimeSettings } from './package-runtime.ts'

const DEFAULT = 'default'
const RUNTIME_CONTAINER = 'package-runtime'
/** There is one process, and its account has no right to leases of other names. */
const LEADER_ELECTION = /^(-l|--leader-election|--enable-leader-election|--leader-elect)(=.*)?$/
const LEADER_VARIABLES = new Set(['LEADER_ELECTION', 'LEADER_ELECT'])

/** What a DeploymentRuntimeConfig means to a process: arguments and environment of its program, and whether it runs here. The rest is named. */
export function runtimeSettings(config: RuntimeConfig): RuntimeSettings {
  const unused: string[] = []
  /** Everything of an object but these has no meaning here. */
  const only = (value: unknown, path: string, used: readonly string[]): Readonly<Record<string, unknown>> => {
    const given = isJsonObject(value) ? value : {}
    for (const [key, inner] of Object.entries(given))
      if (!used.includes(key) && inner !== null && !deepEqual(inner, {}) && !deepEqual(inner, [])) unused.push(`${path}.${key}`)
    return given
  }
  const spec = only(config.spec, 'spec', ['deploymentTemplate'])
  const deployment = only(only(spec['deploymentTemplate'], 'deploymentTemplate', ['spec'])['spec'], 'deployment', [
    'selector',
    'template',
    'replicas',
  ])
  const pod = only(only(deployment['template'], 'template', ['spec'])['spec'], 'pod', ['containers'])
  const containers = (Array.isArray(pod['containers']) ? pod['containers'] : []).filter(isJsonObject)
  for (const { name } of containers) if (name !== RUNTIME_CONTAINER) unused.push(`container ${String(name)}`)
  const container = only(
    containers.find(({ name }) => name === RUNTIME_CONTAINER),
    RUNTIME_CONTAINER,
    ['name', 'args', 'env'],
  )
  const args = (Array.isArray(container['args']) ? container['args'] : []).map(String)
  for (const arg of args) if (LEADER_ELECTION.test(arg)) unused.push(`${RUNTIME_CONTAINER}.args ${arg}`)
  const env: Record<string, string> = {}
  for (const variable of Array.isArray(container['env']) ? container['env'] : []) {
    const { name, value, valueFrom } = isJsonObject(variable) ? variable : {}
    if (typeof name !== 'string' || name === '') continue
    if (valueFrom !== undefined || LEADER_VARIABLES.has(name)) unused.push(`${RUNTIME_CONTAINER}.env ${name}`)
    else env[name] = typeof value === 'string' ? value : ''
  }
  return {
    name: config.metadata.name ?? '',
    args: Array.isArray(container['args']) ? args.filter((arg) => !LEADER_ELECTION.test(arg)) : undefined,
    env,
    runs: deployment['replicas'] !== 0,
    unused,
    templates: config.spec ?? {},
  }
}

export interface FoundSettings {
  readonly settings: RuntimeSettings | undefined
  readonly applied: readonly AppliedImageConfig[]
}

/** The settings that count for a revision: those of an ImageConfig, else of its package, else the default ones, if there are any. In words why there are none. */
export async function findRuntimeSettings(client: Client, { spec, status }: RevisionObject): Promise<FoundSettings | string> {
  const { runtime, applied } = await imageConfigOf(client, status?.resolvedImage ?? spec.image)
  const { name, kind = runtimeConfigKind.kind } = runtime ?? spec.runtimeConfigRef ?? { name: DEFAULT }
  if (kind !== runtimeConfigKind.kind) return `runtimeConfigRef names a ${kind}: only a ${runtimeConfigKind.kind} can be used`
  const config = await client.find(runtimeConfigKind, { name })
  if (config === undefined && name !== DEFAULT)
    return `${runtimeConfigKind.kind} ${name} does not exist: create it, or name another in runtimeConfigRef`
  return {
    settings: config === undefined ? undefined : runtimeSettings(config),
    applied: applied.filter(({ reason }) => reason === 'ConfigureRuntime'),
  }
}
