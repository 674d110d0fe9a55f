import { describe, expect, it } from 'vitest'
import { MANAGED, objectOf } from '../../world/testing.fixture.ts'
import { fromYaml, toYaml } from './yaml-text.ts'

describe('YAML', () => {
  it('leaves out who manages which field, and nothing else', () => {
    const object = objectOf(MANAGED, 'x', { spec: { size: 3 }, metadata: { managedFields: [{ manager: 'somebody' }] } })
    const text = toYaml(object)
    expect(text).not.toContain('somebody')
    const { managedFields: _, ...metadata } = object.metadata
    expect(fromYaml(text)).toEqual({ ...object, metadata })
  })

  it('keeps integers that a number would change', () => {
    const text = toYaml(objectOf(MANAGED, 'x', { spec: { large: 9_007_199_254_740_993n, small: 3 } }))
    expect(text).toContain('large: 9007199254740993')
    expect(fromYaml(text)['spec']).toEqual({ large: 9_007_199_254_740_993n, small: 3 })
  })

  it.each(['', '[]', 'just text', 'kind: Server', '{apiVersion: v1, kind: X}', 'a: [', `a: &a [1]\nb: [${'*a,'.repeat(200)}]`])(
    'refuses %j',
    (text) => {
      expect(() => fromYaml(text)).toThrow(Error)
    },
  )
})
