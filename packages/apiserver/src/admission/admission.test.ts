import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import type { ResourceType } from '../registry/index.ts'
import { type AdmissionPlugin, type AdmissionRequest, createAdmission } from './admission.ts'

const object = (count: number): KubeObject => ({ apiVersion: 'v1', kind: 'Any', metadata: {}, count })
const request: AdmissionRequest = {
  operation: 'CREATE',
  type: {} as ResourceType,
  subresource: '',
  namespace: '',
  name: 'x',
  object: object(0),
  user: { username: 'u', groups: [] },
  dryRun: false,
  options: {},
  warn: () => undefined,
}

describe('the chain of mutations', () => {
  const adds = (name: string, calls: string[], repeats: boolean): AdmissionPlugin => ({
    name,
    mutate({ object: given }, round) {
      calls.push(`${name}${round.again ? ' again' : ''}`)
      if (repeats) round.repeat()
      return object((given?.['count'] as number) + 1)
    },
  })

  it('runs once, each step on what the one before made', async () => {
    const calls: string[] = []
    const result = await createAdmission([adds('a', calls, false), adds('b', calls, false)]).mutate(request)
    expect([result?.['count'], calls]).toEqual([2, ['a', 'b']])
  })

  it('runs twice when somebody asks, and never more', async () => {
    const calls: string[] = []
    const result = await createAdmission([adds('a', calls, false), adds('b', calls, true)]).mutate(request)
    expect([result?.['count'], calls]).toEqual([4, ['a', 'b', 'a again', 'b again']])
  })

  it('keeps notes from one run to the next', async () => {
    const noted: unknown[] = []
    const plugin: AdmissionPlugin = {
      name: 'notes',
      mutate({ object: given }, round) {
        noted.push(round.notes.get('notes'))
        round.notes.set('notes', 'kept')
        round.repeat()
        return given
      },
    }
    await createAdmission([plugin]).mutate(request)
    expect(noted).toEqual([undefined, 'kept'])
  })
})
