import { setOwn } from '@weft/api'
import { GoError, wrapping } from '../../go/go-error.ts'
import { fromStruct, structJson, throughJson, toStruct } from '../../go/json.ts'
import { quote } from '../../go/quote.ts'
import { TextTooLong } from '../../go/sprintf.ts'
import { type GoObject, type GoValue, isGoArray, isGoObject } from '../../go/value.ts'
import type { RunFunctionRequest } from '../../protocol/request.ts'
import type { FunctionResult, RunFunctionResponse } from '../../protocol/response.ts'
import type { Ready, Resource } from '../../protocol/state.ts'
import type { Struct } from '../../protocol/struct.ts'
import { connectionSecret, extractDetails, keepsDetails } from './connection.ts'
import { decodeInput, type Input, isOptional, isRequired, type Patch, patchType, type Template } from './input.ts'
import { hasKind, isWithoutKind, metadataText, textOf, withField, withMetadataText } from './object.ts'
import { applyComposedPatch, applyEnvironmentPatch, type Sides, writesComposed } from './patch.ts'
import { CheckCannotRun, isReady } from './readiness.ts'
import { Target } from './target.ts'
import { validateInput } from './validate.ts'

const ENVIRONMENT = 'apiextensions.crossplane.io/environment'
const TTL = '60s'

/**
 * The function that most compositions use, in process: its answer to every request is that of the Go program, fatal results and their words
 * included. What ends that program (three inputs do) is a fatal result here.
 */
export function patchAndTransform(request: RunFunctionRequest): RunFunctionResponse {
  return new Run(request).answer()
}

interface Desired {
  readonly object: GoObject
  readonly ready?: Ready | undefined
}

class Run {
  readonly #request: RunFunctionRequest
  readonly #results: FunctionResult[] = []
  readonly #observed: GoObject
  readonly #composite: Target
  readonly #environment: Target
  readonly #details: Record<string, string>
  readonly #desired = new Map<string, Desired>()
  #skipped = 0

  constructor(request: RunFunctionRequest) {
    this.#request = request
    const composite = request.desired?.composite
    this.#observed = fromStruct(request.observed?.composite?.resource)
    const desired = withField(fromStruct(composite?.resource), 'apiVersion', textOf(this.#observed, 'apiVersion'))
    this.#composite = new Target(withField(desired, 'kind', textOf(this.#observed, 'kind')))
    this.#details = { ...composite?.connectionDetails }
    this.#environment = new Target(environmentOf(request.context))
    for (const [name, { resource, ready }] of Object.entries(request.desired?.resources ?? {}))
      this.#desired.set(name, { object: fromStruct(resource), ready })
  }

  answer(): RunFunctionResponse {
    try {
      this.#run()
    } catch (error) {
      return this.#fatal(messageOf(error))
    }
    return this.#success()
  }

  #run(): void {
    const { input, templates } = compiled(this.#request)
    const sides = { compositeObserved: this.#observed, compositeDesired: this.#composite, environment: this.#environment }
    input.environment?.patches?.forEach((patch, i) => {
      try {
        applyEnvironmentPatch(patch, sides)
      } catch (error) {
        if (!(error instanceof GoError)) throw error
        if (error.isNotFound && isOptional(patch)) return
        throw new GoError(`cannot apply the ${quote(patchType(patch))} environment patch at index ${i}: ${error.message}`)
      }
    })
    for (const template of templates) this.#render(template, sides)
    if (keepsDetails(this.#observed) || Object.keys(this.#details).length === 0) return
    const secret = wrapping('cannot compose connection secret', () =>
      connectionSecret(this.#observed, this.#details, input.writeConnectionSecretToRef),
    )
    this.#desired.set(`${metadataText(this.#observed, 'name')}-connection-secret`, { object: secret, ready: 'READY_TRUE' })
  }

  #render(template: Template, sides: Omit<Sides, 'observed' | 'desired'>): void {
    const { name = '' } = template
    const existing = Object.hasOwn(this.#request.observed?.resources ?? {}, name) ? this.#request.observed?.resources?.[name] : undefined
    const observed = existing === undefined ? undefined : fromStruct(existing.resource)
    let base = this.#base(template)
    let ready: Ready | undefined
    if (existing !== undefined && observed !== undefined) {
      base = withMetadataText(base, 'namespace', metadataText(observed, 'namespace'))
      base = withMetadataText(base, 'name', metadataText(observed, 'name'))
      const details = extractDetails(observed, existing.connectionDetails ?? {}, template.connectionDetails)
      for (const key of Object.keys(details)) setOwn(this.#details, key, details[key])
      if (this.#checkReady(template, observed)) ready = 'READY_TRUE'
    }
    const desired = new Target(base, { isReread: template.base !== undefined })
    for (const [i, patch] of (template.patches ?? []).entries()) {
      if (this.#patch(template, patch, i, { ...sides, observed, desired })) continue
      this.#skipped++
      return
    }
    this.#desired.set(name, { object: desired.object, ready })
  }

  /** What the template starts from: its base, or what an earlier function wants. */
  #base({ name = '', base }: Template): GoObject {
    if (base !== undefined) return wrapping(`cannot parse base template of composed resource ${quote(name)}`, () => parseBase(base))
    const earlier = this.#desired.get(name)
    if (earlier !== undefined) return earlier.object
    throw new GoError(`composed resource ${quote(name)} has no base template, and was not produced by a previous Function in the pipeline`)
  }

  #checkReady({ name = '', readinessChecks }: Template, observed: GoObject): boolean {
    try {
      return isReady(observed, readinessChecks)
    } catch (error) {
      if (error instanceof CheckCannotRun) throw new GoError(`cannot check readiness of composed resource ${quote(name)}: ${error.message}`)
      if (!(error instanceof GoError)) throw error
      this.#warn(`cannot check readiness of composed resource ${quote(name)}: ${error.message}`)
      return false
    }
  }

  /** False: the resource has to wait for what this patch needs. */
  #patch({ name = '' }: Template, patch: Patch, i: number, sides: Sides): boolean {
    const which = `${quote(patchType(patch))} patch at index ${i}`
    try {
      applyComposedPatch(patch, sides)
    } catch (error) {
      if (!(error instanceof GoError)) throw error
      if (!error.isNotFound) throw new GoError(`cannot render composed resource ${quote(name)} ${which}: ${error.message}`)
      if (!isRequired(patch)) return true
      if (writesComposed(patchType(patch)) && sides.observed === undefined) {
        this.#warn(
          `not adding new composed resource ${quote(name)} to desired state because ${which} has 'policy.fromFieldPath: Required': ${error.message}`,
        )
        return false
      }
      this.#warn(
        `cannot render composed resource ${quote(name)} ${which}: ignoring 'policy.fromFieldPath: Required' because 'to' resource already exists: ${error.message}`,
      )
    }
    return true
  }

  #warn(message: string): void {
    this.#results.push({ severity: 'SEVERITY_WARNING', message, target: 'TARGET_COMPOSITE' })
  }

  #meta(): RunFunctionResponse['meta'] {
    const tag = this.#request.meta?.tag
    return { ...(tag !== undefined && tag !== '' && { tag }), ttl: TTL }
  }

  /** Desired state and context as they came. But connection details that were there before have been added to by then. */
  #fatal(message: string): RunFunctionResponse {
    const { desired, context } = this.#request
    const results: FunctionResult[] = [...this.#results, { severity: 'SEVERITY_FATAL', message, target: 'TARGET_COMPOSITE' }]
    const before = desired?.composite?.connectionDetails
    const state =
      before === undefined || Object.keys(before).length === 0
        ? desired
        : { ...desired, composite: { ...desired?.composite, connectionDetails: this.#details } }
    return {
      meta: this.#meta(),
      ...(state !== undefined && { desired: state }),
      results,
      ...(context !== undefined && { context }),
    } as RunFunctionResponse
  }

  #success(): RunFunctionResponse {
    const composite: Resource = {
      resource: toStruct(this.#composite.object) as Struct,
      ...(Object.keys(this.#details).length > 0 && { connectionDetails: this.#details }),
      ...(this.#skipped > 0 && { ready: 'READY_FALSE' as const }),
    }
    const resources: Record<string, Resource> = {}
    for (const [name, { object, ready }] of this.#desired)
      setOwn(resources, name, { resource: toStruct(object) as Struct, ...(ready !== undefined && { ready }) })
    return {
      meta: this.#meta() as NonNullable<RunFunctionResponse['meta']>,
      desired: { composite, ...(this.#desired.size > 0 && { resources }) },
      context: { ...this.#request.context, [ENVIRONMENT]: toStruct(this.#environment.object) as Struct },
      ...(this.#results.length > 0 && { results: this.#results }),
    }
  }
}

interface Compiled {
  readonly input: Input
  /** With their patch sets. */
  readonly templates: readonly Template[]
}

/** A composition's input is the same object at every reconcile of every composite: it is read once. */
const inputs = new WeakMap<object, Compiled>()

function compiled(request: RunFunctionRequest): Compiled {
  const known = request.input === undefined ? undefined : inputs.get(request.input)
  if (known !== undefined) return known
  const input = readInput(request)
  wrapping('invalid Function input', () => validateInput(input))
  const made = { input, templates: wrapping('cannot resolve PatchSets', () => withPatchSets(input)) }
  if (request.input !== undefined) inputs.set(request.input, made)
  return made
}

function readInput(request: RunFunctionRequest): Input {
  return wrapping(
    'cannot get Function input: cannot get function input *v1beta1.Resources from *v1.RunFunctionRequest: cannot unmarshal JSON from *structpb.Struct into *v1beta1.Resources',
    () => decodeInput(fromStruct(request.input)) ?? {},
  )
}

function environmentOf(context: Struct | undefined): GoObject {
  const value = context !== undefined && Object.hasOwn(context, ENVIRONMENT) ? (context[ENVIRONMENT] as GoValue) : undefined
  const environment = isGoObject(value) ? value : {}
  if (!isWithoutKind(environment)) return environment
  return withField(withField(environment, 'apiVersion', 'internal.crossplane.io/v1alpha1'), 'kind', 'Environment')
}

/** The templates, each patch set in place of the patch that names it. */
function withPatchSets({ patchSets = [], resources = [] }: Input): readonly Template[] {
  const sets = new Map<string, readonly Patch[]>()
  for (const { name = '', patches = [] } of patchSets) {
    if (patches.some((patch) => patchType(patch) === 'PatchSet')) throw new GoError('a patch in a PatchSet cannot be of type PatchSet')
    sets.set(name, patches)
  }
  return resources.map((template) => ({
    ...template,
    patches: (template.patches ?? []).flatMap((patch) => {
      if (patchType(patch) !== 'PatchSet') return [patch]
      const { patchSetName = '' } = patch
      const set = sets.get(patchSetName)
      if (set === undefined) throw new GoError(`cannot find PatchSet by name ${patchSetName}`)
      return set
    }),
  }))
}

/** Bases that were read: what renders from one takes it anew before it writes. */
const bases = new WeakMap<object, GoObject>()

function parseBase(base: GoValue): GoObject {
  const known = isGoObject(base) ? bases.get(base) : undefined
  if (known !== undefined) return known
  if (!isGoObject(base)) {
    const kind = isGoArray(base) ? 'array' : typeof base === 'boolean' ? 'bool' : typeof base
    throw new GoError(`json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`)
  }
  const parsed = throughJson(base)
  if ('error' in parsed) throw new GoError(parsed.error)
  const object = parsed.value as GoObject
  if (hasKind(object)) {
    bases.set(base, object)
    return object
  }
  throw new GoError(`Object 'Kind' is missing in '${structJson(base)}'`)
}

/** Go's own words; of what has no words there, ours. Words that are no UTF-8, which only a failure can have, end the call in Go: here they are mended. */
function messageOf(error: unknown): string {
  if (error instanceof GoError) return error.message.replace(/[\uD800-\uDFFF]/gu, '\uFFFD')
  if (error instanceof TextTooLong) return `cannot run patch and transform: ${error.message}`
  if (error instanceof RangeError) return 'cannot run patch and transform: the request is nested too deep'
  throw error
}
