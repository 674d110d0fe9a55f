import { describe, expect, it } from 'vitest'
import { kindInfo, objectOf } from './testing.fixture.ts'
import { compositionSteps } from './composition-steps.ts'

const composition = kindInfo({ kind: 'Composition', group: 'apiextensions.crossplane.io' })
const base = { apiVersion: 'v1', kind: 'ConfigMap' }

describe('what a composition does', () => {
  it('is one step where it says itself what it makes, with each patch as it is read', () => {
    const [step, ...more] = compositionSteps(
      objectOf(composition, 'a', {
        spec: {
          to: [
            {
              base,
              patches: [
                { fromFieldPath: 'spec.gb', toFieldPath: 'data.mb', transforms: [{ type: 'math', math: { multiply: 1024 } }] },
                { fromFieldPath: 'spec.region', transforms: [{ type: 'map', map: { east: 'East US' } }] },
              ],
            },
          ],
        },
      }),
    )
    expect(more).toEqual([])
    expect(step?.resources).toEqual([
      {
        name: '1',
        apiVersion: 'v1',
        kind: 'ConfigMap',
        patches: [
          { from: 'spec.gb', to: 'data.mb', transforms: ['multiply 1024'], direction: 'down' },
          { from: 'spec.region', to: 'spec.region', transforms: ['map east → East US'], direction: 'down' },
        ],
      },
    ])
  })

  it('K: is its pipeline, with the resources and the patch sets that a function is given', () => {
    const steps = compositionSteps(
      objectOf(composition, 'a', {
        spec: {
          pipeline: [
            {
              step: 'resources',
              functionRef: { name: 'function-patch-and-transform' },
              input: {
                patchSets: [{ name: 'names', patches: [{ fromFieldPath: 'metadata.name' }] }],
                resources: [
                  {
                    name: 'settings',
                    base,
                    patches: [
                      { type: 'PatchSet', patchSetName: 'names' },
                      { type: 'ToCompositeFieldPath', fromFieldPath: 'metadata.name', toFieldPath: 'status.account' },
                    ],
                  },
                ],
              },
            },
            { step: 'ready', functionRef: { name: 'function-auto-ready' }, credentials: [{ secretRef: { name: 'key' } }] },
          ],
        },
      }),
    )
    expect(steps.map(({ name, fn, credentials }) => [name, fn, credentials])).toEqual([
      ['resources', 'function-patch-and-transform', []],
      ['ready', 'function-auto-ready', ['key']],
    ])
    expect(steps[0]?.resources[0]?.patches).toEqual([
      { from: 'metadata.name', to: 'metadata.name', transforms: [], direction: 'down' },
      { from: 'metadata.name', to: 'status.account', transforms: [], direction: 'up' },
    ])
  })

  it('is nothing where the composition says nothing', () => {
    expect(compositionSteps(objectOf(composition, 'a', { spec: { pipeline: 'no list' } }))).toEqual([])
  })
})
