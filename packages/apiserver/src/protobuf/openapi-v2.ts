import { getOwn, isJsonObject, stringifyJson } from '@weft/api'
import { BYTES, FIXED64, VARINT } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'

/** An OpenAPI 2 document as the protobuf message `openapi.v2.Document`, which kubectl asks for. Unknown members are left out. */
export function encodeOpenApiV2(document: unknown): Buffer {
  const writer = new WireWriter(1 << 16)
  writeMembers(writer, documentShape(), document)
  return writer.finish()
}

/** Writes one field, tag included. The writer works back to front, so a value comes before its tag. */
type Write = (writer: WireWriter, number: number, value: unknown) => void

/** How a JSON object becomes a message. Numbers are those of gnostic's OpenAPIv2.proto. */
interface Shape {
  readonly members: Readonly<Record<string, readonly [number: number, write: Write]>>
  /** Field of `x-…` members. */
  readonly extensions?: number
  /** Field and writer of all other members, as {name=1, value=2}. */
  readonly named?: readonly [number: number, write: Write]
}

function writeMembers(writer: WireWriter, shape: Shape, object: unknown): void {
  if (!isJsonObject(object)) return
  const fields: [number: number, write: () => void][] = []
  for (const key of Object.keys(object).reverse()) {
    const value = getOwn(object, key)
    const member = Object.hasOwn(shape.members, key) ? shape.members[key] : undefined
    if (member) fields.push([member[0], () => member[1](writer, member[0], value)])
    else if (key.startsWith('x-') && shape.extensions !== undefined) {
      const number = shape.extensions
      fields.push([number, () => writeNamed(writer, number, key, () => any(writer, 2, value))])
    } else if (shape.named) {
      // A map of names may hold `x-…` as well: JSONSchemaProps has properties of such names.
      const [number, write] = shape.named
      fields.push([number, () => writeNamed(writer, number, key, () => write(writer, 2, value))])
    }
  }
  // Stable: members of one repeated field stay in (reversed) order.
  for (const [, write] of fields.sort(([a], [b]) => b - a)) write()
}

function delimited(writer: WireWriter, number: number, write: () => void): void {
  const before = writer.length
  write()
  writer.varint(writer.length - before)
  writer.tag(number, BYTES)
}

const writeNamed = (writer: WireWriter, number: number, name: string, write: () => void): void =>
  delimited(writer, number, () => {
    write()
    text(writer, 1, name)
  })

const text: Write = (writer, number, value) => {
  if (typeof value !== 'string' || value === '') return
  writer.string(value)
  writer.tag(number, BYTES)
}
const flag: Write = (writer, number, value) => {
  if (value !== true) return
  writer.varint(1)
  writer.tag(number, VARINT)
}
const integer: Write = (writer, number, value) => {
  if ((typeof value !== 'number' && typeof value !== 'bigint') || Number(value) === 0) return
  writer.varint(value)
  writer.tag(number, VARINT)
}
const double: Write = (writer, number, value) => {
  if ((typeof value !== 'number' && typeof value !== 'bigint') || Number(value) === 0) return
  writer.double(Number(value))
  writer.tag(number, FIXED64)
}
/** Any{yaml=2}; JSON is YAML. */
const any: Write = (writer, number, value) => {
  if (value !== undefined) delimited(writer, number, () => text(writer, 2, stringifyJson(value)))
}
const many =
  (write: Write): Write =>
  (writer, number, value) => {
    if (Array.isArray(value)) for (const item of [...(value as unknown[])].reverse()) write(writer, number, item)
  }
/** Repeated strings keep empty ones. */
const texts: Write = many((writer, number, value) => {
  writer.string(String(value))
  writer.tag(number, BYTES)
})
const object =
  (shape: () => Shape): Write =>
  (writer, number, value) => {
    if (isJsonObject(value)) delimited(writer, number, () => writeMembers(writer, shape(), value))
  }
const oneOf =
  (choose: (value: unknown) => readonly [number: number, write: Write]): Write =>
  (writer, number, value) => {
    if (value === undefined) return
    const [inner, write] = choose(value)
    delimited(writer, number, () => write(writer, inner, value))
  }

/** A shape is built on first use: most servers never encode OpenAPI 2. */
function lazy(build: () => Shape): () => Shape {
  let shape: Shape | undefined
  return () => (shape ??= build())
}

const map = (write: Write): (() => Shape) => lazy(() => ({ members: {}, named: [1, write] }))

const externalDocs = lazy(() => ({ members: { description: [1, text], url: [2, text] }, extensions: 3 }))

const schema: () => Shape = lazy(() => ({
  members: {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, any],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, flag],
    minimum: [9, double],
    exclusiveMinimum: [10, flag],
    maxLength: [11, integer],
    minLength: [12, integer],
    pattern: [13, text],
    maxItems: [14, integer],
    minItems: [15, integer],
    uniqueItems: [16, flag],
    maxProperties: [17, integer],
    minProperties: [18, integer],
    required: [19, texts],
    enum: [20, many(any)],
    additionalProperties: [21, oneOf((value) => (typeof value === 'boolean' ? [2, explicitFlag] : [1, object(schema)]))],
    type: [22, oneOf(() => [1, (writer, number, value) => texts(writer, number, [value].flat())])],
    items: [23, oneOf(() => [1, (writer, number, value) => many(object(schema))(writer, number, [value].flat())])],
    allOf: [24, many(object(schema))],
    properties: [25, object(map(object(schema)))],
    discriminator: [26, text],
    readOnly: [27, flag],
    externalDocs: [29, object(externalDocs)],
    example: [30, any],
  },
  extensions: 31,
}))

/** False matters where a field is one of several. */
const explicitFlag: Write = (writer, number, value) => {
  writer.varint(value === true ? 1 : 0)
  writer.tag(number, VARINT)
}

/** Members that parameters, headers and items share, from `type` on, in the order of the message. */
function primitives(first: number, extra: Shape['members'] = {}): Shape['members'] {
  const names: readonly (readonly [string, Write])[] = [
    ['type', text],
    ['format', text],
    ['items', object(primitivesItems)],
    ['collectionFormat', text],
    ['default', any],
    ['maximum', double],
    ['exclusiveMaximum', flag],
    ['minimum', double],
    ['exclusiveMinimum', flag],
    ['maxLength', integer],
    ['minLength', integer],
    ['pattern', text],
    ['maxItems', integer],
    ['minItems', integer],
    ['uniqueItems', flag],
    ['enum', many(any)],
    ['multipleOf', double],
  ]
  return { ...extra, ...Object.fromEntries(names.map(([name, write], index) => [name, [first + index, write] as const])) }
}

const primitivesItems: () => Shape = lazy(() => ({ members: primitives(1), extensions: 18 }))
const header = lazy(() => ({ members: primitives(1, { description: [18, text] }), extensions: 19 }))

const parameterHead: Shape['members'] = { required: [1, flag], in: [2, text], description: [3, text], name: [4, text] }
const plainParameter = lazy(() => ({ members: primitives(5, parameterHead), extensions: 22 }))
/** Query and form parameters may be empty, which shifts the rest by one. */
const emptyableParameter = lazy(() => ({ members: primitives(6, { ...parameterHead, allowEmptyValue: [5, flag] }), extensions: 23 }))
const bodyParameter = lazy(() => ({
  members: { description: [1, text], name: [2, text], in: [3, text], required: [4, flag], schema: [5, object(schema)] },
  extensions: 6,
}))

const reference = lazy(() => ({ members: { $ref: [1, text], description: [2, text] } }))
const isReference = (value: unknown): boolean => isJsonObject(value) && Object.hasOwn(value, '$ref')

const nonBody: Write = oneOf((value) => {
  switch (isJsonObject(value) ? value['in'] : '') {
    case 'header':
      return [1, object(plainParameter)]
    case 'formData':
      return [2, object(emptyableParameter)]
    case 'query':
      return [3, object(emptyableParameter)]
    default:
      return [4, object(plainParameter)]
  }
})
const parameter: Write = oneOf((value) => (isJsonObject(value) && value['in'] === 'body' ? [1, object(bodyParameter)] : [2, nonBody]))
const parameterItem: Write = oneOf((value) => (isReference(value) ? [2, object(reference)] : [1, parameter]))

const response = lazy(() => ({
  members: {
    description: [1, text],
    schema: [2, oneOf(() => [1, object(schema)])],
    headers: [3, object(map(object(header)))],
    examples: [4, object(map(any))],
  },
  extensions: 5,
}))
const responses = lazy(() => ({
  members: {},
  named: [1, oneOf((value) => (isReference(value) ? [2, object(reference)] : [1, object(response)]))],
  extensions: 2,
}))

/** {name: [scopes]}: SecurityRequirement{NamedStringArray{name, StringArray{value}}}. */
const securityRequirement: Write = object(map((writer, number, value) => delimited(writer, number, () => texts(writer, 1, value))))

const apiKey = lazy(() => ({ members: { type: [1, text], name: [2, text], in: [3, text], description: [4, text] }, extensions: 5 }))
const basicAuth = lazy(() => ({ members: { type: [1, text], description: [2, text] }, extensions: 3 }))

const operation = lazy(() => ({
  members: {
    tags: [1, texts],
    summary: [2, text],
    description: [3, text],
    externalDocs: [4, object(externalDocs)],
    operationId: [5, text],
    produces: [6, texts],
    consumes: [7, texts],
    parameters: [8, many(parameterItem)],
    responses: [9, object(responses)],
    schemes: [10, texts],
    deprecated: [11, flag],
    security: [12, many(securityRequirement)],
  },
  extensions: 13,
}))
const pathItem = lazy(() => ({
  members: {
    $ref: [1, text],
    get: [2, object(operation)],
    put: [3, object(operation)],
    post: [4, object(operation)],
    delete: [5, object(operation)],
    options: [6, object(operation)],
    head: [7, object(operation)],
    patch: [8, object(operation)],
    parameters: [9, many(parameterItem)],
  },
  extensions: 10,
}))

const contact = lazy(() => ({ members: { name: [1, text], url: [2, text], email: [3, text] }, extensions: 4 }))
const license = lazy(() => ({ members: { name: [1, text], url: [2, text] }, extensions: 3 }))
const info = lazy(() => ({
  members: {
    title: [1, text],
    version: [2, text],
    description: [3, text],
    termsOfService: [4, text],
    contact: [5, object(contact)],
    license: [6, object(license)],
  },
  extensions: 7,
}))

const documentShape: () => Shape = lazy(() => ({
  members: {
    swagger: [1, text],
    info: [2, object(info)],
    host: [3, text],
    basePath: [4, text],
    schemes: [5, texts],
    consumes: [6, texts],
    produces: [7, texts],
    paths: [8, object(lazy(() => ({ members: {}, named: [2, object(pathItem)], extensions: 1 })))],
    definitions: [9, object(map(object(schema)))],
    parameters: [10, object(map(parameter))],
    responses: [11, object(map(object(response)))],
    security: [12, many(securityRequirement)],
    securityDefinitions: [
      13,
      object(map(oneOf((value) => (isJsonObject(value) && value['type'] === 'basic' ? [1, object(basicAuth)] : [2, object(apiKey)])))),
    ],
    tags: [
      14,
      many(
        object(
          lazy(() => ({ members: { name: [1, text], description: [2, text], externalDocs: [3, object(externalDocs)] }, extensions: 4 })),
        ),
      ),
    ],
    externalDocs: [15, object(externalDocs)],
  },
  extensions: 16,
}))
