import type { KubeObject } from '@weft/api'
import { configMapKind } from '@weft/client'
import { startTestServer } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import { findMade, holding, newReference, wasWritten } from './naming.ts'

const intent = (more: Partial<KubeObject['metadata']> = {}, spec: object = {}): KubeObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Wish',
  metadata: { name: 'sql', namespace: 'team', ...more },
  spec,
})
const resourceRef = { apiVersion: 'example.org/v1', kind: 'Thing', name: 'team-sql-x' }

describe('names before things (X2)', () => {
  it('refers to what is to be made by kind and name, and to nothing that exists', () => {
    const ref = newReference({ apiVersion: 'example.org/v1', kind: 'Thing' }, { prefix: 'team-sql-', random: () => 0 })
    expect(ref).toEqual({ apiVersion: 'example.org/v1', kind: 'Thing', name: expect.stringMatching(/^team-sql-[a-z0-9]{5}$/) })
  })

  it.each([
    { place: 'spec', spec: { size: 1, resourceRef }, reason: 'claims keep it among their own fields' },
    { place: 'spec.infrastructure', spec: { size: 1, infrastructure: { resourceRef } }, reason: 'requirements apart from them' },
  ] as const)('holds the intent and names the thing in one object: $reason', ({ place, spec }) => {
    const held = holding(intent({}, { size: 1 }), { place, finalizer: 'example.org/held', resourceRef })
    expect(held.metadata.finalizers).toEqual(['example.org/held'])
    expect(held['spec']).toEqual(spec)
    expect(holding(held, { place, finalizer: 'example.org/held', resourceRef })).toBe(held)
  })

  it.each([
    { generation: 1, times: 1, answer: false, reason: 'a name that was never written cannot be lost' },
    { generation: 2, times: 1, answer: true, reason: 'one was written' },
    { generation: 2, times: 2, answer: false, reason: 'one was written, and nothing since' },
    { generation: 3, times: 2, answer: true, reason: 'and something since' },
    { generation: undefined, times: 2, answer: true, reason: 'nobody counts: perhaps' },
  ])('looks for what was lost only where a name may have been: $reason', ({ generation, times, answer }) => {
    expect(wasWritten(intent(generation === undefined ? {} : { generation }), times)).toBe(answer)
  })

  it('finds what bears the mark, and takes only what refers back: anybody may copy a label', async () => {
    const server = await startTestServer()
    try {
      const make = (name: string, owner: string, mark = 'uid-1') =>
        server.client.create({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { namespace: 'default', name, labels: { owner: mark }, annotations: { owner } },
        } as KubeObject)
      await make('its', 'sql')
      await make('copied', 'other')
      await make('unmarked', 'sql', 'uid-2')
      const found = await findMade(
        server.client,
        configMapKind,
        { label: 'owner', value: 'uid-1', namespace: 'default' },
        ({ metadata }) => metadata.annotations?.['owner'] === 'sql',
      )
      expect(found.map(({ metadata }) => metadata.name)).toEqual(['its'])
    } finally {
      await server.close()
    }
  })
})
