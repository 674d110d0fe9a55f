import { StatusError, type KubeObject } from '@weft/api'
import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** What people get wrong in definitions, publications and Compositions: told at once, by the control plane as it is run. */
const DEFINITIONS = 'apiextensions.crossplane.io/v1alpha1'
let plane: TestControlPlane

const definition = (template: object = {}, more: object = {}, plural = 'things', kind = 'InfrastructureDefinition'): KubeObject => ({
  apiVersion: DEFINITIONS,
  kind,
  metadata: { name: `${plural}.bad.example.org` },
  spec: {
    crdSpecTemplate: {
      group: 'bad.example.org',
      version: 'v1alpha1',
      names: { kind: plural === 'things' ? 'Thing' : 'Other', plural },
      validation: { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' }, name: { type: 'string' } } } },
      ...template,
    },
    ...more,
  },
})

const publication = (name: string, of = name): KubeObject => ({
  apiVersion: DEFINITIONS,
  kind: 'InfrastructurePublication',
  metadata: { name },
  spec: { infrastructureDefinitionReference: { name: of } },
})

const composition = (name: string, to: object, from = 'Thing'): KubeObject => ({
  apiVersion: DEFINITIONS,
  kind: 'Composition',
  metadata: { name },
  spec: { from: { apiVersion: 'bad.example.org/v1alpha1', kind: from }, to: [to] },
})

const nop = { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } }
const details = [{ name: 'username', fromConnectionSecretKey: 'username' }]
const patched = (from: string, to: string, transforms: object[] = []): object => ({
  base: nop,
  connectionDetails: details,
  patches: [{ fromFieldPath: from, toFieldPath: to, transforms }],
})

beforeAll(async () => {
  plane = await startControlPlane()
  const { client } = plane
  await eventually(() => client.list({ group: 'nop.crossplane.io', kind: 'NopResource' }))
  await client.create(definition({}, { connectionDetails: ['username'] }))
  await client.create(publication('things.bad.example.org'))
  await client.create(composition('good', { base: nop, connectionDetails: details }))
  await eventually(() => client.list({ group: 'bad.example.org', kind: 'ThingRequirement' }))
})
afterAll(() => plane.stop())

const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  expect(error, 'was accepted').toBeInstanceOf(StatusError)
  return (error as StatusError).message
}

describe('is refused, with the reason', () => {
  const schema = (properties: object): object => ({ validation: { openAPIV3Schema: { type: 'object', properties } } })
  it.each([
    {
      reason: 'C8: a definition whose name is not <plural>.<group>',
      object: { ...definition({}, {}, 'others'), metadata: { name: 'other.bad.example.org' } },
      message: /metadata\.name/,
    },
    {
      reason: 'C9: a definition with several versions',
      object: definition({ versions: [{ name: 'a' }, { name: 'b' }] }, {}, 'others'),
      message: /one API version/,
    },
    {
      reason: 'C10: a reserved field name',
      object: definition(schema({ infrastructure: { type: 'object' } }), {}, 'others'),
      message: /spec\.infrastructure is injected/,
    },
    {
      reason: 'C10: the other one',
      object: definition(schema({ application: { type: 'object' } }), {}, 'others', 'ApplicationDefinition'),
      message: /spec\.application is injected/,
    },
    {
      reason: 'a spec that is no object',
      object: definition({ validation: { openAPIV3Schema: { type: 'string' } } }, {}, 'others'),
      message: /spec must be an object/,
    },
    { reason: 'C26: a second publication', object: publication('things.bad.example.org'), message: /already exists/ },
    {
      reason: 'C26: a publication of another name',
      object: publication('mine', 'things.bad.example.org'),
      message: /metadata\.name must be the name of the InfrastructureDefinition/,
    },
    {
      reason: 'C12: a Composition across scopes',
      object: composition('bad', {
        base: { apiVersion: 'bad.example.org/v1alpha1', kind: 'ThingRequirement', spec: {} },
        connectionDetails: details,
      }),
      message: /spec\.to\[0\]\.base.*ThingRequirement is namespaced/,
    },
    {
      reason: 'C5: a path that the composite has not',
      object: composition('bad', patched('spec.sizes', 'spec.forProvider.x')),
      message: /spec\.to\[0\]\.patches\[0\]\.fromFieldPath.*no field spec\.sizes/,
    },
    {
      reason: 'C5: a path that the resource has not',
      object: composition('bad', patched('spec.size', 'spek.x')),
      message: /spec\.to\[0\]\.patches\[0\]\.toFieldPath.*no field spek/,
    },
    {
      reason: 'C6: arithmetic with text',
      object: composition('bad', patched('spec.name', 'spec.forProvider.x', [{ type: 'math', math: { multiply: 2 } }])),
      message: /transforms\[0\].*takes numbers/,
    },
    {
      reason: 'C16: a detail that is missing',
      object: composition('bad', { base: nop }),
      message: /no template exposes the connection detail "username"/,
    },
    {
      reason: 'C7: a detail that is there twice',
      object: composition('bad', { base: nop, connectionDetails: [...details, ...details] }),
      message: /Duplicate value: "username"/,
    },
    {
      reason: '001:821-860: an opaque template',
      object: composition('bad', { template: 'x', base: nop }),
      message: /opaque templates are not supported/,
    },
  ])('$reason', async ({ object, message }) => {
    expect(await refusal(plane.client.create(object))).toMatch(message)
  })

  it('C4: an update to the spec of a Composition', async () => {
    const kind = { group: 'apiextensions.crossplane.io', kind: 'Composition' }
    const body = { spec: { writeConnectionSecretsToNamespace: 'elsewhere' } }
    expect(await refusal(plane.client.patch(kind, { name: 'good' }, { type: 'merge', body }))).toMatch(
      /cannot be changed: create another one/,
    )
  })

  it('leaves the control plane as it was', async () => {
    const { items } = await plane.client.list({ group: 'apiextensions.crossplane.io', kind: 'Composition' })
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['good'])
    expect(
      await plane.client.find(
        { group: 'apiextensions.crossplane.io', kind: 'InfrastructureDefinition' },
        { name: 'others.bad.example.org' },
      ),
    ).toBeUndefined()
  })
})
