import { CRDS, CONFIG_MAPS, dry, type GrowthCase, times } from './world.ts'

const varint = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)])
const bytesField = (number: number, content: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes])
}
/** What every body begins with: `k8s`, then the type and the object. */
const body = (apiVersion: string, kind: string, object: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    bytesField(1, Buffer.concat([bytesField(1, apiVersion), bytesField(2, kind)])),
    bytesField(2, object),
  ])

const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' }
const definition = (schema: Uint8Array): GrowthCase['requests'] => {
  const version = Buffer.concat([bytesField(1, 'v1'), bytesField(4, bytesField(1, schema))])
  const object = Buffer.concat([bytesField(1, bytesField(1, 'others.growth.example.org')), bytesField(2, bytesField(7, version))])
  return () => ({ method: 'POST', url: dry(CRDS), headers, body: body('apiextensions.k8s.io/v1', 'CustomResourceDefinition', object) })
}
const NOT = 28
const ALL_OF = 25
const nested = (levels: number, wrap: (inner: Buffer) => Buffer): Buffer => {
  let inner: Buffer = Buffer.alloc(0)
  for (let i = 0; i < levels; i++) inner = wrap(inner)
  return inner
}
const configMap =
  (object: Uint8Array): GrowthCase['requests'] =>
  () => ({
    method: 'POST',
    url: dry(CONFIG_MAPS),
    headers,
    body: body('v1', 'ConfigMap', object),
  })
const label = (i: number): Buffer => bytesField(11, Buffer.concat([bytesField(1, `k${i}`), bytesField(2, 'v')]))

/** Bodies in protobuf, as programs in Go send them. */
export const PROTOBUF_CASES: readonly GrowthCase[] = [
  {
    name: 'POST protobuf of messages within messages',
    requests: (n) => definition(nested(n, (inner) => bytesField(NOT, inner)))(n),
    size: 100,
  },
  {
    name: 'POST protobuf of messages within messages, each in two parts',
    requests: (n) => definition(nested(n, (inner) => Buffer.concat([bytesField(NOT, inner), bytesField(NOT, '')])))(n),
    size: 100,
  },
  {
    name: 'POST protobuf of lists within lists',
    requests: (n) => definition(nested(n, (inner) => bytesField(ALL_OF, inner)))(n),
    size: 100,
  },
  {
    name: 'POST protobuf nested deeper than anybody may',
    requests: (n) => definition(nested(n * 20, (inner) => bytesField(NOT, inner)))(n),
    answers: [400],
    bound: 200_000,
  },
  {
    name: 'POST protobuf of metadata in many parts',
    requests: (n) => configMap(Buffer.concat([bytesField(1, bytesField(1, 'p')), ...times(n, (i) => bytesField(1, label(i)))]))(n),
    answers: [201],
  },
  {
    name: 'POST protobuf of unknown fields',
    requests: (n) => configMap(Buffer.concat([bytesField(1, bytesField(1, 'p')), ...times(n, (i) => bytesField(1000 + i, 'x'))]))(n),
    answers: [201],
  },
]
