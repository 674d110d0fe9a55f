import { describe, expect, it } from 'vitest'
import { withUnknown } from './compare.ts'
import { KNOWN_AFTER_APPLY } from './plan.ts'

const object = (spec: object) => ({ apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 'a' }, spec })

describe('what is known after apply', () => {
  it.each([
    [{ forProvider: { subnetSelector: { matchLabels: { a: 'b' } } } }, ['forProvider', 'subnet']],
    [{ providerRef: { name: 'a' }, groupNameSelector: { matchLabels: { a: 'b' } } }, ['groupName']],
  ])('A15: is what a provider fills in by a selector: %j', (spec, path) => {
    const filled: unknown = path.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], withUnknown(object(spec))['spec'])
    expect(filled).toBe(KNOWN_AFTER_APPLY)
  })

  it('is nothing of a claim, whose misspelt selector nobody reads', () => {
    const claim = object({ clasSelector: { matchLabels: { where: 'cloud' } }, writeConnectionSecretToRef: { name: 'x' } })
    expect(withUnknown(claim)).toBe(claim)
  })
})
