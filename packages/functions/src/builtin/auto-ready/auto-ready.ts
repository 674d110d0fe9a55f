import { setOwn } from '@weft/api'
import { type Decoder, mapOf, struct, text, typeFields } from '../../go/decode.ts'
import { durationText, parseDuration } from '../../go/duration.ts'
import { GoError, must, wrapping } from '../../go/go-error.ts'
import { fromStruct } from '../../go/json.ts'
import type { RunFunctionRequest } from '../../protocol/request.ts'
import type { RunFunctionResponse } from '../../protocol/response.ts'
import type { Ready, Resource } from '../../protocol/state.ts'
import { conditionStatus } from '../condition.ts'
import { isHealthy } from './health.ts'

interface Input {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata?: object
  readonly ttl?: string
  /** Behind a gate that is closed in the Go program. */
  readonly celHealthCheckCustomization?: object
  readonly celHealthCheckCustomizationFrom?: string
}

const decodeInput: Decoder<Input> = struct<Input>('v1beta1.Input', {
  ...typeFields,
  ttl: text,
  celHealthCheckCustomization: mapOf(text, 'map[string]string'),
  celHealthCheckCustomizationFrom: text,
})

/**
 * Says of desired resources that exist, and of whose readiness nobody has said anything, that they are ready: Kubernetes' own kinds by what their
 * status means, all others by their condition Ready. It never says that one is not.
 */
export function autoReady(request: RunFunctionRequest): RunFunctionResponse {
  const { desired, context } = request
  const tag = request.meta?.tag
  const meta = { ...(tag !== undefined && tag !== '' && { tag }), ttl: '60s' }
  const rest = { ...(context !== undefined && { context }) }
  try {
    const { ttl } = readInput(request)
    if (ttl !== undefined && ttl !== '') meta.ttl = wrapping('cannot set ttl', () => durationText(must(parseDuration(ttl))))
  } catch (error) {
    if (!(error instanceof GoError)) throw error
    const results = [{ severity: 'SEVERITY_FATAL', message: error.message, target: 'TARGET_COMPOSITE' }] as const
    return { meta, ...(desired !== undefined && { desired }), results, ...rest }
  }
  const resources: Record<string, Resource> = {}
  for (const [name, { resource, ready }] of Object.entries(desired?.resources ?? {})) {
    const judged = ready ?? readyOf(request, name)
    setOwn(resources, name, { resource: resource ?? {}, ...(judged !== undefined && { ready: judged }) })
  }
  const { resources: _, ...state } = desired ?? {}
  return { meta, desired: { ...state, ...(Object.keys(resources).length > 0 && { resources }) }, ...rest }
}

function readInput(request: RunFunctionRequest): Input {
  return wrapping(
    'cannot get Function input from *v1.RunFunctionRequest: cannot get function input *v1beta1.Input from *v1.RunFunctionRequest: cannot unmarshal JSON from *structpb.Struct into *v1beta1.Input',
    () => decodeInput(fromStruct(request.input)) ?? {},
  )
}

function readyOf({ observed }: RunFunctionRequest, name: string): Ready | undefined {
  const resources = observed?.resources ?? {}
  const existing = Object.hasOwn(resources, name) ? resources[name] : undefined
  if (existing === undefined) return undefined
  const object = fromStruct(existing.resource)
  return isHealthy(object) || conditionStatus(object, 'Ready') === 'True' ? 'READY_TRUE' : undefined
}
