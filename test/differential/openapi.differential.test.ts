import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missing, type Servers, startServers } from './servers.ts'

const skipped = await missing()
if (skipped !== undefined) console.log(`comparison of OpenAPI documents skipped: ${skipped}`)

/** Group versions whose kinds are made from tables. */
const DOCUMENTS = [
  ...['api/v1', 'apis/apps/v1', 'apis/autoscaling/v1', 'apis/autoscaling/v2', 'apis/batch/v1', 'apis/discovery.k8s.io/v1'],
  ...['apis/networking.k8s.io/v1', 'apis/node.k8s.io/v1', 'apis/policy/v1', 'apis/scheduling.k8s.io/v1', 'apis/storage.k8s.io/v1'],
]

interface Component {
  readonly $ref?: string
  readonly type?: string
  readonly allOf?: readonly Component[]
  readonly items?: Component
  readonly additionalProperties?: Component | boolean
  readonly properties?: Readonly<Record<string, Component>>
  readonly required?: readonly string[]
  readonly [extension: `x-kubernetes-${string}`]: unknown
}
type Components = Readonly<Record<string, Component>>

/** Written in place by us, and by reference there. */
const INLINED = /\.(Quantity|IntOrString|Time|MicroTime|RawExtension|FieldsV1|JSON)$/

/** What a message is to those who read and merge it: descriptions, formats, enumerations and defaults apart. */
function shapeOf(component: Component | boolean | undefined): unknown {
  if (typeof component !== 'object') return component
  const reference = component.$ref ?? component.allOf?.[0]?.$ref
  const name = reference?.slice(reference.lastIndexOf('/') + 1)
  if (name !== undefined) return INLINED.test(name) ? 'value' : name
  if (component['x-kubernetes-int-or-string'] === true || component['x-kubernetes-preserve-unknown-fields'] === true) return 'value'
  if (component.type === 'string') return 'value'
  return {
    type: component.type,
    ...(component.items && { items: shapeOf(component.items) }),
    ...(component.additionalProperties !== undefined && { values: shapeOf(component.additionalProperties) }),
  }
}

const MERGES = [
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
] as const

const fieldOf = (component: Component): unknown => {
  const shape = shapeOf(component)
  return {
    shape,
    ...(shape !== 'value' &&
      Object.fromEntries(MERGES.flatMap((name) => (component[name] === undefined ? [] : [[name, component[name]]])))),
  }
}

const messageOf = ({ properties = {}, required = [] }: Component): unknown => ({
  required: [...required].sort(),
  fields: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, fieldOf(field)])),
})

describe.skipIf(skipped !== undefined)('messages of the kinds that are only stored are those that kube-apiserver publishes', () => {
  let servers: Servers

  beforeAll(async () => {
    servers = await startServers()
  })
  afterAll(() => servers.stop())

  it.each(DOCUMENTS)('in %s', async (name) => {
    const [ours, theirs] = await Promise.all(
      [servers.weft, servers.kubernetes].map(async (server) => {
        const { body } = await server.send({ method: 'GET', path: `/openapi/v3/${name}` })
        return (body as { components: { schemas: Components } }).components.schemas
      }),
    )
    const names = Object.keys(ours ?? {}).filter((each) => each.startsWith('io.k8s.api.') && !INLINED.test(each))
    expect(names.length).toBeGreaterThan(0)
    const shapes = (all: Components | undefined): object =>
      Object.fromEntries(names.map((each) => [each, all?.[each] && messageOf(all[each])]))
    expect(shapes(ours)).toEqual(shapes(theirs))
  })
})
