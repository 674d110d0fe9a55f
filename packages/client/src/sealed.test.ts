import { describe, expect, test } from 'vitest'
import { newSealingPair, seal, sealingPairFrom, unseal } from './sealed.ts'

describe('sealed messages', () => {
  const [ann, bob, eve] = [newSealingPair(), sealingPairFrom('of the replicas'), newSealingPair()]
  const sealed = seal({ word: 'sentinel-7c1f' }, ann, bob.publicKey, 'question')

  test('are read by those who share the secret, and show nothing on the way', () => {
    expect(unseal(sealed, sealingPairFrom('of the replicas'), ann.publicKey, 'question')).toEqual({ word: 'sentinel-7c1f' })
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('sentinel')
    expect(seal({ word: 'sentinel-7c1f' }, ann, bob.publicKey, 'question'), 'twice the same is not the same').not.toBe(sealed)
  })

  test.each([
    ['another reader', () => unseal(sealed, eve, ann.publicKey, 'question')],
    ['another writer', () => unseal(sealed, bob, eve.publicKey, 'question')],
    ['another purpose', () => unseal(sealed, bob, ann.publicKey, 'answer')],
    ['a changed message', () => unseal(`${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`, bob, ann.publicKey, 'question')],
    ['a short message', () => unseal('AAAA', bob, ann.publicKey, 'question')],
    ['a key that is none', () => unseal(sealed, bob, 'AAAA', 'question')],
  ])('are not read with %s', (_what, read) => {
    expect(read).toThrow()
  })
})
