import { isJsonObject, type JsonObject, type KubeObject, specOf } from '@weft/api'
import { renderXr, type XrRendering, XrRenderError } from '@weft/controllers'
import {
  type CompileFunction,
  FunctionObjects,
  type FunctionRunner,
  FunctionRunners,
  type RunFunctionRequest,
  type Struct,
} from '@weft/functions'
import { RenderError } from '../render/rendering.ts'
import { isComposition } from './is-pipeline.ts'

const GROUP = 'apiextensions.crossplane.io'

export interface PipelineRenderOptions {
  /** The composite, its Composition, the Functions; a definition may be among them. */
  readonly objects: readonly KubeObject[]
  readonly xrd?: KubeObject | undefined
  readonly observed?: readonly KubeObject[]
  readonly required?: readonly KubeObject[]
  /** Secrets that the steps' credentials name. */
  readonly credentials?: readonly KubeObject[]
  /** OpenAPI documents with the schemas that functions may ask for. */
  readonly schemas?: readonly JsonObject[]
  /** What the pipeline begins with. */
  readonly context?: Struct | undefined
  /** Put on every Function, over its own. */
  readonly functionAnnotations?: Readonly<Record<string, string>>
  /** For the whole pass. */
  readonly timeoutMs: number
  /** Makes modules of the files that Functions name; without it they name none. */
  readonly compile?: CompileFunction
  /** What a module said on its console. */
  readonly onLog?: (functionName: string, line: string) => void
}

const isFunction = ({ apiVersion, kind }: KubeObject): boolean => kind === 'Function' && apiVersion.startsWith('pkg.crossplane.io/')
const isDefinition = ({ apiVersion, kind }: KubeObject): boolean =>
  kind === 'CompositeResourceDefinition' && apiVersion.startsWith(`${GROUP}/`)

/** All that the composite's condition times say: a render is the same whenever it is made. */
const NOW = Date.parse('2024-01-01T00:00:00Z')

/**
 * One pass over a composite as its controller would make it, from files: the controller's own code, in a world that holds what is given. Functions that are
 * built in need nothing; others must be running, and their Function say where.
 */
export async function renderPipeline(options: PipelineRenderOptions): Promise<XrRendering & { readonly given: KubeObject }> {
  const { objects, observed = [], required = [], credentials = [], schemas = [], context, timeoutMs } = options
  const composition = compositionOf(objects)
  const xrd = options.xrd ?? objects.find(isDefinition)
  const written = compositeOf(objects)
  const given = xrd === undefined ? written : await withDefaults(written, xrd)
  const functions = objects.filter(isFunction).map((object) => annotated(object, options.functionAnnotations ?? {}))
  const runners = new FunctionRunners(new FunctionObjects(functions, options.compile), {
    timeoutMs,
    ...(options.onLog !== undefined && { onLog: options.onLog }),
  })
  try {
    const rendering = await renderXr({
      xr: given,
      composition,
      ...(xrd !== undefined && { xrd: xrd as never }),
      observed,
      required,
      credentials,
      schemas,
      runner: within(Date.now() + timeoutMs, context === undefined ? runners : beginningWith(context, runners)),
      nowMs: NOW,
    })
    return { ...rendering, given }
  } catch (error) {
    if (!(error instanceof XrRenderError)) throw error
    throw new RenderError(`cannot render composite resource: ${error.message}`, { cause: error })
  } finally {
    runners.close()
  }
}

function compositionOf(objects: readonly KubeObject[]): KubeObject {
  const compositions = objects.filter(isComposition)
  const [composition] = compositions
  if (composition === undefined || compositions.length > 1)
    throw new RenderError(`give one Composition to render with: there are ${compositions.length}`)
  const spec = specOf(composition)
  if ((spec['mode'] ?? 'Pipeline') !== 'Pipeline' || !Array.isArray(spec['pipeline']))
    throw new RenderError(
      `Composition ${composition.metadata.name ?? ''} has no pipeline: it must have spec.mode: Pipeline and spec.pipeline`,
    )
  return composition
}

function compositeOf(objects: readonly KubeObject[]): KubeObject {
  const candidates = objects.filter((object) => !isComposition(object) && !isFunction(object) && !isDefinition(object))
  const [composite] = candidates
  if (composite !== undefined && candidates.length === 1) return composite
  const names = candidates.map(({ kind, metadata }) => `${kind}/${metadata.name ?? ''}`).join(', ')
  throw new RenderError(
    candidates.length === 0
      ? 'give the composite resource to render: there is none among the files'
      : `give one composite resource to render: there are ${names}. Pass existing resources with --observed-resources, and what functions request with --required-resources`,
  )
}

function annotated(object: KubeObject, annotations: Readonly<Record<string, string>>): KubeObject {
  return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } } }
}

/**
 * A composite that chooses by labels is not rendered with a Composition that it would not choose. Of a legacy composite, whose choice is not under
 * `spec.crossplane`, this says so and no more: such files have always been rendered with whatever Composition is named.
 */
export function checkSelector(objects: readonly KubeObject[], note: (text: string) => void = () => undefined): void {
  const composition = compositionOf(objects)
  const spec = specOf(compositeOf(objects))
  const modern = isJsonObject(spec['crossplane']) ? spec['crossplane'] : undefined
  for (const [key, wanted] of Object.entries(labelsOf(modern ?? spec))) {
    const value = composition.metadata.labels?.[key]
    if (value === wanted) continue
    const text = `the composite selects Compositions with label ${key}=${String(wanted)}, and Composition ${composition.metadata.name ?? ''} has ${value === undefined ? 'no such label' : `${key}=${value}`}`
    if (modern !== undefined) throw new RenderError(text)
    note(text)
  }
}

function labelsOf(machinery: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const selector = machinery['compositionSelector']
  return isJsonObject(selector) && isJsonObject(selector['matchLabels']) ? selector['matchLabels'] : {}
}

/** Each call has what is left of the time for all. */
const within = (deadline: number, runner: FunctionRunner): FunctionRunner => ({
  run: (name, request, options) => runner.run(name, request, { ...options, deadline }),
})

/** The context is the pipeline's, not a function's: whichever is asked first gets it. What a function drops stays dropped. */
function beginningWith(context: Struct, runner: FunctionRunner): FunctionRunner {
  let isFirst = true
  return {
    run(name, request, options) {
      const asked: RunFunctionRequest = isFirst ? { ...request, context: { ...request.context, ...context } } : request
      isFirst = false
      return runner.run(name, asked, options)
    },
  }
}

/** What the author's schema of this version says of fields that are not there. */
async function withDefaults(xr: KubeObject, xrd: KubeObject): Promise<KubeObject> {
  const spec = specOf(xrd)
  const versions = Array.isArray(spec['versions']) ? (spec['versions'] as readonly unknown[]) : []
  const version = xr.apiVersion.split('/').at(-1)
  const found = versions.filter(isJsonObject).find(({ name }) => name === version)
  const schema = isJsonObject(found?.['schema']) ? found['schema']['openAPIV3Schema'] : undefined
  if (!isJsonObject(schema)) return xr
  // Schemas bring CEL and regular expressions with them, which a composite without a definition does without.
  const { compileSchema } = await import('@weft/schema')
  return compileSchema(schema as never).applyDefaults(xr) as KubeObject
}
