import type { KubeObject } from '@weft/api'
import { expect, test } from 'vitest'
import { compositeFor } from '../xr-claim/synchronise.ts'
import { CLAIM_RECORD, claimRecordOf, withClaimRecord } from './claim-record.ts'
import { claimantsOf, isClaimedBy, otherClaimant } from './claimant.ts'
import { isBindable, phaseOf, resourcePhaseOf } from './phase.ts'
import { reclaimPolicyOf } from './reclaim.ts'

const claim = { apiVersion: 'a.example.org/v1', kind: 'Store', namespace: 'team', name: 'one', uid: 'u-1' }
const { uid: _uid, ...named } = claim
const object = (annotation?: string, spec: object = {}): KubeObject => ({
  apiVersion: 'b.example.org/v1',
  kind: 'Vault',
  metadata: { name: 'v', ...(annotation !== undefined && { annotations: { [CLAIM_RECORD]: annotation } }) },
  spec,
})
const READY = { conditions: [{ type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: '2026-01-01T00:00:00Z' }] }

test('S4: what the record says is what a managed resource would say in its spec and status', () => {
  const made = withClaimRecord(object(), { claimRef: claim, reclaimPolicy: 'Delete', bindingPhase: 'Bound' })
  expect(isClaimedBy(made, 'claimRef', claim)).toBe(true)
  expect(reclaimPolicyOf(made)).toBe('Delete')
  expect(resourcePhaseOf(made)).toBe('Bound')
  const released = withClaimRecord(made, { claimRef: undefined, bindingPhase: 'Released' })
  expect(claimantsOf(released)).toEqual([])
  expect(isBindable({ ...released, status: READY })).toBe(false)
  expect(isBindable({ ...object(), status: READY })).toBe(true)
})

test('a namesake of the claim is somebody else, though the spec has only the name', () => {
  const made = withClaimRecord(object(undefined, { claimRef: named }), { claimRef: claim })
  expect(claimantsOf(made)).toHaveLength(1)
  expect(otherClaimant(made, claim)).toBeUndefined()
  expect(otherClaimant(made, { ...claim, uid: 'u-2' })).toBeDefined()
  expect(isClaimedBy(made, 'claimRef', { ...claim, uid: 'u-2' })).toBe(false)
})

test.each(['', 'no JSON', '[]', '{"claimRef":7}', '{"claimRef":{"name":7}}'])(
  'a record that cannot be read is not for anybody: %s',
  (text) => {
    expect(claimRecordOf(object(text))).toBeDefined()
    expect(otherClaimant(object(text), claim)).toBeDefined()
  },
)

test('of a claim, its annotation says nothing; and it hands none to its composite', () => {
  const said = JSON.stringify({ bindingPhase: 'Bound', claimRef: claim })
  expect(phaseOf(object(said))).toBe('Unbindable')
  const { metadata } = compositeFor(object(said), 'x', undefined, { enforced: false }, { apiVersion: 'b.example.org/v1', kind: 'XVault' })
  expect(metadata.annotations).toBeUndefined()
})
