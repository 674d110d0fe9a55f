import { create, type DescMethodUnary, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf'
import type { GrpcClient } from '@weft/grpc'
import { expect, test } from 'vitest'
import {
  ApplyResourceChangeResponseSchema,
  PlanResourceChangeResponseSchema,
  ReadResourceResponseSchema,
} from '../generated/tfplugin6_pb.ts'
import { ResourceDriver } from '../lifecycle/resource-driver.ts'
import { block, COMPUTED } from '../schema/schema.fixture.ts'
import type { ProviderSchema } from '../schema/schema.ts'
import { STRING } from '../value/type.ts'
import { grpcProviderClient } from './grpc-provider-client.ts'

const schema: ProviderSchema = {
  protocol: 6,
  provider: { version: 0, block: block({}) },
  resources: new Map([['x_thing', { version: 0, block: block({ id: [STRING, COMPUTED], name: STRING }) }]]),
  dataSources: new Map(),
  identities: new Map(),
  capabilities: { planDestroy: false, schemaOptional: true, moveResourceState: false },
}

test('T34: a provider that answers JSON is understood, and gets back what it planned in the form that it has', async () => {
  const json = (value: object) => ({ json: Buffer.from(JSON.stringify(value)) })
  const made = { id: 'i-1', name: 'n' }
  const sent: unknown[] = []
  const answers: Readonly<Record<string, () => unknown>> = {
    PlanResourceChange: () => create(PlanResourceChangeResponseSchema, { plannedState: json(made) }),
    ApplyResourceChange: () => create(ApplyResourceChangeResponseSchema, { newState: json(made) }),
    ReadResource: () => create(ReadResourceResponseSchema, { newState: json(made) }),
  }
  const grpc = {
    unary: <M extends DescMethodUnary>(method: M, request: MessageInitShape<M['input']>): Promise<MessageShape<M['output']>> => {
      sent.push((request as { plannedState?: unknown }).plannedState)
      return Promise.resolve(answers[method.name]?.() as MessageShape<M['output']>)
    },
  } as unknown as GrpcClient
  const driver = new ResourceDriver(grpcProviderClient(grpc, 6), schema, 'x_thing')
  const config = new Map([
    ['id', null],
    ['name', 'n'],
  ])
  const { state } = await driver.apply(await driver.plan(undefined, config))
  expect(sent.at(-1), 'what was planned').toEqual(json(made))
  expect(state?.value).toEqual(new Map(Object.entries(made)))
  if (state === undefined) return
  expect(await driver.read(state), 'it is there').toMatchObject({ value: new Map(Object.entries(made)) })
  expect((await driver.plan(state, config)).action).toBe('none')
})
