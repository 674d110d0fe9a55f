import {
  badRequest,
  field,
  formatGroupVersion,
  getOwn,
  invalid,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  parseGroupVersion,
  setOwn,
  StatusError,
  withMeta,
} from '@weft/api'
import { atOnce, type Parts } from '../../apply/index.ts'
import { type Catalog, longWork, type ResourceType } from '../../registry/index.ts'
import type { WriteOptions } from '../options.ts'
import { NO_PROTOBUF, parsePayload, type Payload, readPayload } from './payload.ts'
import type { ResourceRequest } from '../resource-request.ts'
import { type Parsed, SyntaxFault, unknownField } from './parsed.ts'
import { strictProblems } from './strict-problems.ts'

/** Decodes the body as an object of the request's type: checks that it is one, drops what its schema does not know, fills defaults. */
export async function readObject({ request, type, services, warn }: ResourceRequest, options: WriteOptions): Promise<KubeObject> {
  const payload = await readPayload(request)
  return decodePayload(payload, { type, validation: options.fieldValidation, warn, catalog: services.catalog })
}

interface DecodeContext {
  readonly type: ResourceType
  readonly validation: WriteOptions['fieldValidation']
  readonly warn: (text: string) => void
  readonly catalog: Catalog
}

async function decodePayload(payload: Payload, context: DecodeContext): Promise<KubeObject> {
  const { type } = context
  let kind: { kind: string; version: string } | undefined
  try {
    const { value, ...told } = parsePayload(payload)
    const typed = type.custom ? interpretCustom(value, payload) : interpret(value, type)
    kind = typed.found
    assertRegistered(typed.found, context)
    if (type.custom) assertCustomKind(type, formatGroupVersion(typed.found), typed.found.kind, typed.object)
    const isLong = longWork.isLong(payload.bytes.length)
    if (isLong) await longWork.turn()
    const parts = checked(type, withType(typed.object, typed.found), told, context)
    return isLong ? await longWork.inTurns(parts) : atOnce(parts)
  } catch (error) {
    throw transformed(error, type, kind, payload)
  }
}

/** kube-apiserver says what it took the body for; or, when it could not tell, shows its beginning. */
function transformed(error: unknown, type: ResourceType, kind: { kind: string; version: string } | undefined, { bytes }: Payload): unknown {
  const why = error instanceof SyntaxFault ? error.message : error instanceof DecodeFault ? error.message : undefined
  if (why === undefined) return error
  if (kind !== undefined && kind.kind !== '')
    return badRequest(`${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${type.kind}: ${why}`)
  return badRequest(
    `the object provided is unrecognized (must be of type ${type.kind}): ${versionKindFault(error, why)} (${summary(bytes)})`,
  )
}

export const versionKindFault = (error: unknown, why: string): string =>
  error instanceof SyntaxFault && !why.startsWith('yaml: ') && why !== NO_PROTOBUF
    ? `couldn't get version/kind; json parse error: ${why}`
    : why

/** Something is wrong with the document, in Go's words; the wrapping says with which. */
class DecodeFault extends Error {}

const SUMMARY_BYTES = 30

function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>'
  const head = bytes.subarray(0, SUMMARY_BYTES)
  const more = bytes.length > SUMMARY_BYTES ? ' ...' : ''
  return bytes[0] === 0x7b ? `${head.toString()}${more}` : `${head.toString('hex')}${more}`
}

const VERSION_KIND = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

interface FoundKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** Reads apiVersion and kind; what is left out is taken from the endpoint, as far as the kind allows. */
function interpret(value: unknown, type: FoundKind): { readonly object: JsonObject; readonly found: FoundKind } {
  if (value === null || value === undefined) return { object: {}, found: { group: type.group, version: type.version, kind: type.kind } }
  if (!isJsonObject(value)) throw new SyntaxFault(`json: cannot unmarshal ${goTypeOf(value)} into Go value of type ${VERSION_KIND}`)
  for (const name of ['apiVersion', 'kind']) {
    const text = getOwn(value, name)
    if (text !== undefined && text !== null && typeof text !== 'string')
      throw new SyntaxFault(`json: cannot unmarshal ${goTypeOf(text)} into Go struct field .${name} of type string`)
  }
  const apiVersion = (getOwn(value, 'apiVersion') as string | null | undefined) ?? ''
  const kind = (getOwn(value, 'kind') as string | null | undefined) ?? ''
  const parts = apiVersion.split('/')
  if (parts.length > 2) throw new DecodeFault(`unexpected GroupVersion string: ${apiVersion}`)
  const [group, version] = parts.length === 2 ? [parts[0] as string, parts[1] as string] : ['', parts[0] as string]
  return {
    object: value,
    found: {
      kind: kind === '' ? type.kind : kind,
      ...(version === '' && (group === '' || group === type.group) ? { group: type.group, version: type.version } : { group, version }),
    },
  }
}

/** A custom resource has to say what it is: only the version may be wrong, and that is said later. */
function interpretCustom(value: unknown, { bytes }: Payload): ReturnType<typeof interpret> {
  const { object, found } = interpret(value, { group: '', version: '', kind: '' })
  if (found.kind === '') throw new DecodeFault(`Object 'Kind' is missing in '${bytes.toString()}'`)
  return { object, found }
}

/** kube-apiserver takes any kind first and finds out when it validates. */
export function assertCustomKind(
  type: ResourceType,
  apiVersion: string,
  kind: string,
  { metadata }: Readonly<Record<string, unknown>>,
): void {
  const expected = formatGroupVersion(type)
  const errors = []
  if (kind !== type.kind) errors.push(field.invalid('kind', kind, `must be ${type.kind}`))
  if (apiVersion !== expected) errors.push(field.invalid('apiVersion', apiVersion, `must be ${expected}`))
  const name = isJsonObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : ''
  if (errors.length > 0) throw invalid({ group: parseGroupVersion(apiVersion).group, kind, name }, errors)
}

const SCHEME = 'pkg/runtime/scheme.go:111'

/** The body must be of the endpoint's kind. What it is instead decides what is said. */
function assertRegistered(found: FoundKind, { type, catalog }: DecodeContext): void {
  const expected = formatGroupVersion(type)
  const given = formatGroupVersion(found)
  if (found.kind === type.kind && given === expected) return
  if (type.custom) {
    if (given !== expected) throw badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`)
    return
  }
  const stem = found.kind.replace(/List$/, '')
  if (
    catalog.findKind(found.group, found.version, found.kind) === undefined &&
    catalog.findKind(found.group, found.version, stem) === undefined
  )
    throw new DecodeFault(
      `no kind ${JSON.stringify(found.kind)} is registered for version ${JSON.stringify(given)} in scheme ${JSON.stringify(SCHEME)}`,
    )
  if (found.kind === type.kind && found.group === type.group)
    throw badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`)
  throw new DecodeFault(
    `converting (${found.version}.${found.kind}) to (${type.group === '' ? 'core' : (type.group.split('.')[0] ?? '')}.${type.kind}): unknown conversion`,
  )
}

/** The order of the other fields stays: complaints come in it. */
function withType(value: JsonObject, found: FoundKind): KubeObject {
  const result: Record<string, unknown> = { apiVersion: formatGroupVersion(found), kind: found.kind }
  for (const [key, member] of Object.entries(value)) if (key !== 'apiVersion' && key !== 'kind') setOwn(result, key, member)
  result['metadata'] ??= {}
  return result as unknown as KubeObject
}

/** Decodes, and deals with what field validation finds as the request wants it. */
function* checked(type: ResourceType, object: KubeObject, told: Told, { validation, warn }: DecodeContext): Parts<KubeObject> {
  const { known, strict } = yield* decodeInParts(type, object, told, validation)
  if (strict.length > 0) {
    if (validation === 'Strict') throw new DecodeFault(`strict decoding error: ${strict.join(', ')}`)
    for (const text of strict) for (const line of yamlLines(text)) warn(line)
  }
  return known
}

/** What was found in the text itself. */
type Told = Omit<Parsed, 'value'>

/** Of YAML that has keys twice each place is a warning of its own. */
export const yamlLines = (problem: string): readonly string[] =>
  /^(?:error converting YAML to JSON: )?yaml: unmarshal errors:\n/.test(problem)
    ? problem
        .split('\n')
        .slice(1)
        .map((line) => line.trim())
    : [problem]

/** The object as its type knows it, and what strict decoding complains about, in the order of the document. */
export const decodeStrictly = (
  type: ResourceType,
  object: KubeObject,
  told: Told,
  validation: WriteOptions['fieldValidation'],
): StrictlyDecoded => atOnce(decodeInParts(type, object, told, validation))

interface StrictlyDecoded {
  readonly known: KubeObject
  readonly strict: readonly string[]
}

/** The same for large objects. */
export function* decodeInParts(
  type: ResourceType,
  object: KubeObject,
  told: Told,
  validation: WriteOptions['fieldValidation'],
): Parts<StrictlyDecoded> {
  const unknown: string[] = []
  const onUnknown = validation === 'Ignore' ? undefined : (path: string): unknown => unknown.push(path)
  try {
    const decoded = type.decodeInParts === undefined ? type.decode(object, onUnknown) : yield* type.decodeInParts(object, onUnknown)
    yield
    const known = withReset(decoded, object)
    return {
      known,
      strict:
        validation === 'Ignore'
          ? []
          : type.custom
            ? [...told.problems, ...metadataFirst(unknown).map(unknownField)]
            : strictProblems(told, object, unknown),
    }
  } catch (error) {
    if (error instanceof StatusError && error.is('BadRequest')) throw new DecodeFault(error.message)
    throw error
  }
}

/** Custom resources have their metadata looked at first; then what their schema does not know, then the metadata inside them. */
function metadataFirst(paths: readonly string[]): readonly string[] {
  const isMeta = (path: string): boolean => path.startsWith('metadata.')
  return [...paths.filter(isMeta), ...paths.filter((path) => !isMeta(path))]
}

/** An empty list of managers is how a client asks to forget them all; as a list it would be dropped. */
function withReset(known: KubeObject, { metadata }: KubeObject): KubeObject {
  const { managedFields } = metadata ?? {}
  return Array.isArray(managedFields) && managedFields.length === 0 ? withMeta(known, { managedFields: [] }) : known
}

/** Why the object cannot be decoded, if that is what went wrong. */
export const decodeFault = (error: unknown): string | undefined => (error instanceof DecodeFault ? error.message : undefined)

export const goTypeOf = (value: unknown): string =>
  Array.isArray(value)
    ? 'array'
    : value === null
      ? 'null'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value === 'bigint'
          ? 'number'
          : typeof value
