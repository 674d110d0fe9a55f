// One reconcile at a time, by hand: what is asked of the external system, what is stored and told, and when it is looked at again.
import { conflict, notFound } from '@weft/api'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Observation } from '../external/external-client.ts'
import { ExternalError } from '../external/external-error.ts'
import { CREATE_FAILED, CREATE_PENDING, CREATE_SUCCEEDED, FINALIZER, OWNERSHIP } from '../resource/annotations.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'
import type { ManagedKind } from './managed-kind.ts'
import { again, AVAILABLE, EXTERNAL_NAME, GONE, OneReconcile, POLL_MS, SOON_MS } from './one-reconcile.fixture.ts'

const subject = { group: 'fake.weft.dev', resource: 'things', name: 'thing' }

let one: OneReconcile
beforeEach(() => void (one = new OneReconcile()))

describe('looking again', () => {
  it.each<[string, Observation, Partial<ManagedKind>, number]>([
    ['what is available after the poll interval', AVAILABLE, {}, POLL_MS],
    ['what is not yet, sooner', { ...AVAILABLE, readiness: 'creating' }, {}, SOON_MS],
    ['what is not yet, never later than what is', { ...AVAILABLE, readiness: 'unavailable' }, { pollIntervalMs: 500 }, 500],
    ['by the intervals of the kind', { ...AVAILABLE, readiness: 'creating' }, { notReadyIntervalMs: 700 }, 700],
    ['when the external system says, if that is sooner', { ...AVAILABLE, recheckAfterMs: 300 }, {}, 300],
    ['not later for what it says', { ...AVAILABLE, recheckAfterMs: 600_000 }, {}, POLL_MS],
    ['at once where that is over', { ...AVAILABLE, recheckAfterMs: -5 }, {}, 0],
    ['what is watched at every tenth poll', { ...AVAILABLE, watched: true }, {}, 10 * POLL_MS],
  ])('%s', async (_reason, observation, kind, millis) => {
    one.establish()
    one.observations = [observation]
    expect(await one.reconcile(kind)).toEqual(again(millis))
  })

  it.each([
    [0, 54_000],
    [0.999_999, 66_000],
  ])('spreads out by a tenth, here with chance %f', async (chance, millis) => {
    one.establish()
    one.random = chance
    expect(await one.reconcile()).toEqual(again(millis))
  })
})

describe('creating', () => {
  beforeEach(() => void (one.observations = [GONE, AVAILABLE]))

  it('notes it before and after, looks once more, and tells', async () => {
    expect(await one.reconcile()).toEqual(again(POLL_MS))
    expect(one.calls).toEqual(['observe', 'create', 'observe'])
    expect(one.writes).toEqual(['update', 'patch', 'status'])
    expect([one.annotation(CREATE_PENDING), one.annotation(CREATE_SUCCEEDED)]).toEqual([one.at(0), one.at(1)])
    expect(one.resource?.metadata.finalizers).toEqual([FINALIZER])
    expect(one.annotation(EXTERNAL_NAME)).toBe('thing')
    expect(one.reasons()).toEqual(['Normal CreatedExternalResource'])
    expect(one.condition('Ready')).toMatchObject({ status: 'True', reason: 'Available', observedGeneration: 3 })
    expect(one.condition('Synced')).toMatchObject({ status: 'True', reason: 'ReconcileSuccess' })
    expect(one.condition('Ready')).not.toHaveProperty('message')
    expect(one.resource?.status?.bindingPhase).toBe('Unbound')
  })

  it('says that it is being created where it does not show yet, and comes back soon', async () => {
    one.observations = [GONE]
    expect(await one.reconcile()).toEqual(again(SOON_MS))
    expect(one.condition('Ready')).toMatchObject({ status: 'False', reason: 'Creating' })
    expect(one.resource?.status?.bindingPhase).toBe('Unbindable')
  })

  it.each([
    ['sooner than the grace is over', -29_000, 1_000],
    ['at the usual time while the grace lasts', -1_000, SOON_MS],
  ])('does not create again what was just created: %s', async (_reason, ago, millis) => {
    one.observations = [GONE]
    one.establish({ [CREATE_PENDING]: one.at(ago - 1), [CREATE_SUCCEEDED]: one.at(ago) })
    expect(await one.reconcile()).toEqual(again(millis))
    expect(one.calls).toEqual(['observe'])
    expect(one.condition('Ready')).toMatchObject({ reason: 'Creating' })
  })

  it('creates again what is gone when the grace is over', async () => {
    one.establish({ [CREATE_PENDING]: one.at(-30_001), [CREATE_SUCCEEDED]: one.at(-30_000) })
    await one.reconcile()
    expect(one.calls).toContain('create')
  })

  it('publishes what the creation answered', async () => {
    one.specify({ writeConnectionSecretToRef: { name: 'details', namespace: 'default' } })
    one.external = { create: () => Promise.resolve({ connection: { password: 'x' } }) }
    await one.reconcile()
    expect(one.secrets.get('details')).toMatchObject({ data: { password: Buffer.from('x').toString('base64') } })
  })

  it('is not done where the policies do not allow it, and that is said', async () => {
    one.observations = [{ exists: false, message: 'was deleted by hand' }]
    one.specify({ managementPolicies: ['Observe', 'Update'] })
    await expect(one.reconcile()).rejects.toMatchObject({ reason: 'CannotObserveExternalResource' })
    expect(one.calls).toEqual(['observe'])
    expect(one.condition('Synced')?.message).toMatch(/does not include "Create".*was deleted by hand/)
  })

  it.each([
    ['that certainly failed is noted', new ExternalError('Denied', 'no'), true],
    ['that may have succeeded is not', new ExternalError('Unavailable', 'lost'), false],
    ['whose failure means nothing to us is not', new Error('odd'), false],
  ])('a creation %s', async (_reason, error, noted) => {
    one.external = { create: () => Promise.reject(error) }
    await expect(one.reconcile()).rejects.toMatchObject({ reason: 'CannotCreateExternalResource', cause: error })
    expect(one.annotation(CREATE_FAILED) !== undefined).toBe(noted)
    expect(one.condition('Synced')).toMatchObject({
      status: 'False',
      reason: 'ReconcileError',
      message: expect.stringContaining(error.message),
    })
    expect(one.reasons()).toEqual(['Warning CannotCreateExternalResource'])
  })

  it('losing a race with another writer is no failure', async () => {
    const lost = conflict(subject, 'changed')
    one.external = { create: () => Promise.reject(lost) }
    await expect(one.reconcile()).rejects.toBe(lost)
    expect(one.events).toEqual([])
  })

  it.each([
    ['a create whose answer was lost may have made it: nothing is noted', { [CREATE_PENDING]: '2025-01-01T00:00:00Z' }, false],
    ['somebody else made it: that is a failure', {}, true],
  ])('what appears meanwhile is looked at soon; %s', async (_reason, annotations, noted) => {
    one.annotate(annotations)
    one.external = { create: () => Promise.reject(new ExternalError('AlreadyExists', 'it exists')) }
    expect(await one.reconcile()).toEqual(again(100))
    expect(one.annotation(CREATE_FAILED) !== undefined).toBe(noted)
  })

  it('takes the name that the external system gives', async () => {
    one.external = { create: () => Promise.resolve({ externalName: 'id-7' }) }
    await one.reconcile({ externalNames: 'assigned' })
    expect(one.annotation(EXTERNAL_NAME)).toBe('id-7')
    expect(one.annotation(OWNERSHIP)).toContain('"name":"id-7"')
  })

  it('creates where a lost create made nothing', async () => {
    one.annotate({ [CREATE_PENDING]: one.at(-5_000) })
    one.external = { locate: () => Promise.resolve(undefined), create: () => Promise.resolve({ externalName: 'id-8' }) }
    await one.reconcile({ externalNames: 'assigned' })
    expect(one.annotation(EXTERNAL_NAME)).toBe('id-8')
  })

  it('asks for help where nobody can tell what a lost create made', async () => {
    one.annotate({ [CREATE_PENDING]: one.at(-5_000) })
    await expect(one.reconcile({ externalNames: 'assigned' })).rejects.toMatchObject({ reason: 'CannotInitializeManagedResource' })
  })

  it('keeps its own where names are ours', async () => {
    one.external = { create: () => Promise.resolve({ externalName: 'id-7' }) }
    await one.reconcile()
    expect(one.annotation(EXTERNAL_NAME)).toBe('thing')
  })

  it('tries to note the outcome a few times, then says that it cannot', async () => {
    let tries = 0
    one.failWrite = (verb) => (verb === 'patch' ? new Error(`refused ${++tries}`) : undefined)
    const outcome = one.reconcile().catch((error: unknown) => error)
    await one.clock.advance(2_000)
    expect(await outcome).toMatchObject({ reason: 'CannotUpdateManagedResource' })
    expect(tries).toBe(4)
    expect(one.condition('Synced')?.message).toContain('refused 4')
  })

  it('does not try again to note it on a resource that is gone', async () => {
    let tries = 0
    one.failWrite = (verb) => (verb === 'patch' && ++tries > 0 ? notFound(subject) : undefined)
    await expect(one.reconcile()).rejects.toMatchObject({ reason: 'CannotUpdateManagedResource' })
    expect(tries).toBe(1)
  })

  it('is refused for what was lost in a restore, until somebody consents, once', async () => {
    one.establish()
    one.restored = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'weft-restored' }, data: { restoredAt: one.at(-60_000) } }
    expect(await one.reconcile()).toEqual(again(POLL_MS))
    expect(one.calls).toEqual(['observe'])
    expect([one.condition('Ready'), one.condition('Synced')]).toMatchObject([
      { reason: 'ExternalResourceLost' },
      { reason: 'ExternalResourceLost' },
    ])
    one.observations = [GONE, AVAILABLE]
    one.annotate({ 'weft.dev/create-again': 'true' })
    await one.reconcile()
    expect(one.calls).toContain('create')
    expect(one.annotation('weft.dev/create-again')).toBeUndefined()
  })
})

describe('what exists', () => {
  it('that a lost create made is noted as created when it is seen', async () => {
    one.annotate({ [CREATE_PENDING]: one.at(-5_000), [EXTERNAL_NAME]: 'thing' })
    await one.reconcile()
    expect(one.annotation(CREATE_SUCCEEDED)).toBe(one.at(0))
    expect(one.reasons()).toEqual([])
  })

  it('and was not created here is taken over by what was made by hand, and told', async () => {
    await one.reconcile()
    expect(one.reasons()).toEqual(['Normal AdoptedExternalResource'])
    expect(one.annotation(OWNERSHIP)).toContain('"state":"adopted"')
    one.events = []
    await one.reconcile()
    expect(one.reasons()).toEqual([])
  })

  it('is taken over in silence where nothing in it could be anybody’s', async () => {
    await one.reconcile({ adoption: 'free' })
    expect(one.reasons()).toEqual([])
  })

  it('is refused to what was made for somebody, told once, and looked at again at leisure', async () => {
    one.specify({ claimRef: { name: 'sql' } })
    expect(await one.reconcile()).toEqual(again(POLL_MS))
    expect(await one.reconcile()).toEqual(again(POLL_MS))
    expect(one.reasons()).toEqual(['Warning ExternalResourceExists'])
    expect(one.condition('Synced')).toMatchObject({ status: 'False', reason: 'ExternalResourceExists' })
    expect(one.condition('Ready')).toMatchObject({ status: 'False', reason: 'ExternalResourceExists' })
  })

  it('stays ready where only the name was changed', async () => {
    one.establish({ [EXTERNAL_NAME]: 'another' })
    await one.reconcile()
    expect(one.condition('Synced')).toMatchObject({ reason: 'ExternalNameChanged' })
    expect(one.condition('Ready')).toBeUndefined()
  })

  it('is updated where it differs, and what that answered is shown', async () => {
    one.establish()
    one.specify({ writeConnectionSecretToRef: { name: 'details', namespace: 'default' } })
    one.observations = [{ ...AVAILABLE, upToDate: false, difference: 'size', atProvider: { size: 1, color: 'red' } }]
    one.external = {
      update: () => {
        one.calls.push('update')
        return Promise.resolve({ atProvider: { size: 2 }, connection: { port: '1' } })
      },
    }
    await one.reconcile()
    expect(one.calls).toEqual(['observe', 'update'])
    expect(one.resource?.status?.atProvider).toEqual({ size: 2, color: 'red' })
    expect(one.events).toEqual([
      expect.objectContaining({ reason: 'UpdatedExternalResource', message: expect.stringMatching(/: size$/) as string }),
    ])
    expect(one.secrets.get('details')).toMatchObject({ data: { port: expect.anything() as string } })
  })

  it.each<[string, Observation, object]>([
    ['being what it should be', AVAILABLE, {}],
    ['going away', { ...AVAILABLE, upToDate: false, readiness: 'deleting' }, {}],
    ['only observed', { ...AVAILABLE, upToDate: false }, { managementPolicies: ['Observe'] }],
  ])('is not updated while %s', async (_reason, observation, spec) => {
    one.establish()
    one.specify(spec)
    one.observations = [observation]
    await one.reconcile()
    expect(one.calls).toEqual(['observe'])
  })

  it('is only looked at by what may only look: no finalizer, no record, no details', async () => {
    one.specify({
      managementPolicies: ['Observe'],
      claimRef: { name: 'sql' },
      writeConnectionSecretToRef: { name: 'details', namespace: 'x' },
    })
    one.observations = [{ ...AVAILABLE, message: 'fine', connection: { password: 'x' } }]
    await one.reconcile()
    expect(one.writes).toEqual(['status'])
    expect(one.secrets.size).toBe(0)
    expect(one.condition('Ready')?.message).toMatch(/^fine; its connection details are not published/)
  })

  it('says why it cannot be used', async () => {
    one.establish()
    one.observations = [{ ...AVAILABLE, readiness: 'unavailable', message: 'stopped' }]
    await one.reconcile()
    expect(one.condition('Ready')).toMatchObject({ status: 'False', reason: 'Unavailable', message: 'stopped' })
  })

  it('fills in what was left open, where that is allowed', async () => {
    one.establish()
    one.observations = [{ ...AVAILABLE, lateInit: { color: 'grey' } }]
    await one.reconcile()
    expect(one.resource?.spec).toMatchObject({ forProvider: { color: 'grey' } })
    one.specify({ managementPolicies: ['Observe', 'Update'] })
    one.observations = [{ ...AVAILABLE, lateInit: { size: 1 } }]
    await one.reconcile()
    expect(one.resource?.spec).not.toMatchObject({ forProvider: { size: 1 } })
  })

  it('tells its own conditions and status, which win', async () => {
    one.establish({ 'crossplane.io/reconcile-requested-at': 'now' })
    one.observations = [{ ...AVAILABLE, status: { label: 'x' }, conditions: [{ type: 'Ready', status: 'False', reason: 'Busy' }] }]
    await one.reconcile()
    expect(one.resource?.status).toMatchObject({ label: 'x', lastHandledReconcileAt: 'now', bindingPhase: 'Unbindable' })
    expect(one.condition('Ready')).toMatchObject({ status: 'False', reason: 'Busy' })
    const before = one.writes.length
    await one.reconcile()
    expect(one.writes).toHaveLength(before)
  })

  it.each([
    ['', 'Unbound'],
    ['Unbindable', 'Unbound'],
    ['Bound', 'Bound'],
    ['Released', 'Released'],
  ] as const)('of phase "%s" is "%s" once it is available', async (before, after) => {
    one.establish()
    one.resource = { ...(one.resource as ManagedResource), status: { bindingPhase: before } }
    await one.reconcile()
    expect(one.resource.status?.bindingPhase).toBe(after)
  })
})

describe('a name that the spec states', () => {
  const kind: Partial<ManagedKind> = {
    externalNames: 'assigned',
    statedName: ({ spec }) => (spec as { readonly stated?: string }).stated,
  }
  const annotation = (): string | undefined => one.resource?.metadata.annotations?.[EXTERNAL_NAME]

  it('is written down before the external system is asked', async () => {
    one.specify({ stated: 'there' })
    one.failWrite = () => new Error('the server is down')
    await expect(one.reconcile(kind)).rejects.toThrow()
    expect(one.calls).toEqual([])
    one.failWrite = undefined
    await one.reconcile(kind)
    expect(annotation()).toBe('there')
  })

  it('does not count against a name that is known', async () => {
    one.annotate({ [EXTERNAL_NAME]: 'known' })
    one.specify({ stated: 'there' })
    await one.reconcile(kind)
    expect(annotation()).toBe('known')
  })

  it('need not be there', async () => {
    one.observations = [GONE]
    one.external = { create: () => Promise.resolve({ externalName: 'given' }) }
    await one.reconcile(kind)
    expect(annotation()).toBe('given')
  })
})
