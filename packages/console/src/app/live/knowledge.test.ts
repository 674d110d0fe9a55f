import { expect, it } from 'vitest'
import { CLAIM, collectionOf, GROUP, MANAGED } from '../../world/testing.fixture.ts'
import { knowledgeOf } from './knowledge.ts'
import type { Collection } from '../../world/world.ts'

const loading = collectionOf(CLAIM, [], { loaded: false, state: { phase: 'listing' } })
const refused = collectionOf(GROUP, [], { loaded: false, state: { phase: 'refused', why: 'no' } })
const failed = collectionOf(MANAGED, [], { loaded: false, state: { phase: 'waiting', why: 'down', retryAt: 0 } })
const known = collectionOf(MANAGED, [])
const again = collectionOf(MANAGED, [], { state: { phase: 'listing' } })

it.each<[string, readonly Collection[], boolean, string]>([
  ['it is not known which kinds there are', [], false, 'loading'],
  ['there are no such kinds', [], true, 'known'],
  ['one is being read', [known, loading, failed], true, 'loading'],
  ['one could not be read', [known, failed], true, 'failed'],
  ['none may be seen', [refused], true, 'refused'],
  ['some may be seen', [refused, known], true, 'known'],
  ['it is read again, and shown as it was', [again], true, 'known'],
])('%s', (_reason, collections, areKindsKnown, phase) => {
  expect(knowledgeOf(collections, areKindsKnown).phase).toBe(phase)
})
