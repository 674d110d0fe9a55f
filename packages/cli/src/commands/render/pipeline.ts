import { RESOURCE_NAME } from '@weft/composition'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { goYaml, isJsonObject, type JsonObject, type KubeObject, messageOf, setOwn } from '@weft/api'
import { checkSelector, renderPipeline, RenderError } from '@weft/plan'
import type { Struct, StructValue } from '@weft/functions'
import { parse } from 'yaml'
import { readManifests } from '../../manifests/index.ts'
import { escaped } from '../../output/format-object.ts'
import { formatJson } from '../../output/index.ts'
import { CommandFailure, style } from '../../report.ts'
import { compileFunction } from '../../typescript/compile-function.ts'

/** The flags of `crossplane render`. */
export interface PipelineOptions {
  readonly observedResources?: readonly string[]
  readonly requiredResources?: readonly string[]
  readonly extraResources?: readonly string[]
  readonly requiredSchemas?: string
  readonly functionCredentials?: readonly string[]
  readonly contextFiles?: readonly string[]
  readonly contextValues?: readonly string[]
  readonly includeFunctionResults?: boolean
  readonly includeFullXr?: boolean
  readonly includeContext?: boolean
  readonly functionAnnotations?: readonly string[]
  readonly xrd?: string
  readonly timeout: number
}

const CONDITION_TIME = '2024-01-01T00:00:00Z'
const RENDER_API = 'render.crossplane.io/v1beta1'
/** A function said that it cannot go on; what is printed is what came before. */
const FATAL_EXIT_CODE = 3

export async function renderPipelineFiles(
  objects: readonly KubeObject[],
  format: 'yaml' | 'json',
  options: PipelineOptions,
): Promise<number> {
  const [observed, required, credentials, schemas, definitions, context] = await Promise.all([
    read(options.observedResources),
    read([...(options.requiredResources ?? []), ...(options.extraResources ?? [])]),
    read(options.functionCredentials),
    options.requiredSchemas === undefined ? [] : readSchemas(options.requiredSchemas),
    read(options.xrd === undefined ? [] : [options.xrd]),
    contextOf(options),
  ])
  const xrd = definitions.find(({ kind }) => kind === 'CompositeResourceDefinition')
  if (options.xrd !== undefined && xrd === undefined) throw new CommandFailure(`there is no CompositeResourceDefinition in ${options.xrd}`)
  const functionAnnotations = Object.fromEntries((options.functionAnnotations ?? []).map((text) => pairOf(text, '--function-annotations')))
  try {
    checkSelector(objects, (text) => process.stderr.write(`${style('yellow', 'note')}: ${text}\n`))
    const rendering = await renderPipeline({
      objects,
      ...(xrd !== undefined && { xrd }),
      observed,
      required,
      credentials,
      schemas,
      context,
      functionAnnotations,
      timeoutMs: options.timeout,
      compile: compileFunction,
      onLog: (name, line) => process.stderr.write(`${name}: ${line}\n`),
    })
    const documents: object[] = [
      options.includeFullXr === true ? merged(rendering.given, rendering.xr) : rendering.xr,
      ...rendering.composed.toSorted((a, b) => compare(resourceName(a), resourceName(b))),
    ].map(withStableTimes)
    if (options.includeFunctionResults === true)
      for (const { type, reason, message } of rendering.events)
        documents.push({ apiVersion: RENDER_API, kind: 'Result', severity: type, reason, message })
    if (options.includeContext === true && rendering.context !== undefined)
      documents.push({ apiVersion: RENDER_API, kind: 'Context', fields: rendering.context })
    process.stdout.write(
      format === 'json'
        ? formatJson({ apiVersion: 'v1', kind: 'List', items: documents })
        : documents.map((document) => `---\n${escaped(goYaml(document))}`).join(''),
    )
    if (rendering.fatal === undefined) return 0
    process.stderr.write(`${style('red', 'error')}: cannot render composite resource: ${rendering.fatal}\n`)
    return FATAL_EXIT_CODE
  } catch (error) {
    throw error instanceof RenderError ? new CommandFailure(error.message, { cause: error }) : error
  }
}

/** K120: every condition is of the same time, so that the output is the same whenever it is made, whatever the files say; and has what conditions have. */
function withStableTimes(object: KubeObject): KubeObject {
  const { status } = object
  if (!isJsonObject(status)) return object
  const given = status['conditions'] ?? null
  if (given !== null && !(Array.isArray(given) && given.every(isJsonObject))) return object
  const conditions = given?.map(({ type = '', status: is = '', reason = '', message = '', observedGeneration = 0 }) => ({
    type,
    status: is,
    lastTransitionTime: CONDITION_TIME,
    reason,
    ...(message !== '' && { message }),
    ...(observedGeneration !== 0 && { observedGeneration }),
  }))
  return { ...object, status: { ...status, conditions: conditions ?? null } }
}

async function read(paths: readonly string[] | undefined): Promise<readonly KubeObject[]> {
  return paths === undefined || paths.length === 0 ? [] : (await readManifests(paths)).map(({ object }) => object)
}

/** Every JSON file below a folder. */
async function readSchemas(folder: string): Promise<readonly JsonObject[]> {
  const files = await readdir(folder, { recursive: true }).catch((error: Error) => fail(`cannot read ${folder}: ${error.message}`))
  const documents = files.filter((file) => file.endsWith('.json')).sort()
  if (documents.length === 0)
    fail(
      `there are no JSON files in ${folder}: put OpenAPI documents there, such as kubectl get --raw /openapi/v3/apis/GROUP/VERSION shows`,
    )
  return Promise.all(
    documents.map(async (file) => {
      const path = join(folder, file)
      try {
        const document = JSON.parse(await readFile(path, 'utf8')) as unknown
        return isJsonObject(document) ? document : fail(`${path}: not an OpenAPI document`)
      } catch (error) {
        return error instanceof CommandFailure ? Promise.reject(error) : fail(`${path}: ${messageOf(error)}`)
      }
    }),
  )
}

const resourceName = ({ metadata }: KubeObject): string => metadata.annotations?.[RESOURCE_NAME] ?? ''
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** `key=value`, several by commas; of a value, only its own key is cut off. */
async function contextOf({ contextFiles = [], contextValues = [] }: PipelineOptions): Promise<Struct | undefined> {
  if (contextFiles.length === 0 && contextValues.length === 0) return undefined
  const context: Record<string, StructValue> = {}
  for (const text of contextFiles) {
    const [key, path] = pairOf(text, '--context-files')
    setOwn(context, key, valueOf(await readFile(path, 'utf8').catch((error: Error) => fail(`cannot read ${path}: ${error.message}`)), path))
  }
  for (const text of contextValues) {
    const [key, value] = pairOf(text, '--context-values')
    setOwn(context, key, valueOf(value, `--context-values ${key}`))
  }
  return context
}

function pairOf(text: string, flag: string): [key: string, value: string] {
  const at = text.indexOf('=')
  if (at <= 0) fail(`${flag} takes KEY=VALUE, not ${JSON.stringify(text)}`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function valueOf(text: string, where: string): StructValue {
  try {
    return (parse(text) ?? null) as StructValue
  } catch (error) {
    return fail(`${where}: neither JSON nor YAML: ${messageOf(error)}`)
  }
}

function fail(message: string): never {
  throw new CommandFailure(message)
}

/** The composite as it was given, with what rendering says over it. */
function merged<T>(given: T, over: unknown): T {
  if (!isJsonObject(given) || !isJsonObject(over)) return over as T
  const result: Record<string, unknown> = { ...given }
  for (const [key, value] of Object.entries(over)) setOwn(result, key, merged(result[key], value))
  return result as T
}
