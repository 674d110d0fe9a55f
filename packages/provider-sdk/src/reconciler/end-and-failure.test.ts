// One reconcile at a time, by hand: how a resource goes, and what is said where something fails.
import { conflict, type KubeObject, notFound } from '@weft/api'
import { silentLog } from '@weft/runtime'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ConnectContext } from '../external/connector.ts'
import { ExternalError } from '../external/external-error.ts'
import { CREATE_PENDING, DELETION_TURN, FINALIZER, OWNERSHIP, PAUSED } from '../resource/annotations.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'
import { again, AVAILABLE, GONE, isSecret, OneReconcile, SOON_MS } from './one-reconcile.fixture.ts'

const subject = { group: 'fake.weft.dev', resource: 'things', name: 'thing' }

let one: OneReconcile
beforeEach(() => void (one = new OneReconcile()))

describe('deleting', () => {
  it('deletes, sees that nothing is left, and lets go', async () => {
    one.doom()
    one.observations = [AVAILABLE, GONE]
    expect(await one.reconcile()).toEqual({ type: 'done' })
    expect(one.calls).toEqual(['observe', 'delete', 'observe'])
    expect(one.reasons()).toEqual(['Normal DeletedExternalResource'])
    expect(one.resource?.metadata.finalizers).toBeUndefined()
  })

  it('leaves the finalizers of others', async () => {
    one.doom([FINALIZER, 'example.org/other'])
    one.observations = [GONE]
    await one.reconcile()
    expect(one.resource?.metadata.finalizers).toEqual(['example.org/other'])
  })

  it('says that it is going while something is left, and comes back soon', async () => {
    one.doom()
    one.observations = [{ ...AVAILABLE, message: 'busy' }]
    expect(await one.reconcile()).toEqual(again(SOON_MS))
    expect(one.condition('Ready')).toMatchObject({ status: 'False', reason: 'Deleting', message: 'busy' })
    expect(one.resource?.metadata.finalizers).toEqual([FINALIZER])
  })

  it('does not delete twice what is going already', async () => {
    one.doom()
    one.observations = [{ ...AVAILABLE, readiness: 'deleting', recheckAfterMs: 900 }]
    expect(await one.reconcile()).toEqual(again(900))
    expect(one.calls).toEqual(['observe'])
  })

  it.each([
    ['waits', -10_000, SOON_MS],
    ['waits no longer than it must', -29_000, 1_000],
  ])('%s for a create that may be on its way', async (_reason, ago, millis) => {
    one.doom()
    one.annotate({ [CREATE_PENDING]: one.at(ago) })
    one.observations = [GONE]
    expect(await one.reconcile()).toEqual(again(millis))
    expect(one.condition('Ready')).toMatchObject({ reason: 'Deleting', message: expect.stringContaining('unanswered create') as string })
  })

  it('does not wait for one that can be on its way no more', async () => {
    one.doom()
    one.annotate({ [CREATE_PENDING]: one.at(-30_000) })
    one.observations = [GONE]
    expect(await one.reconcile()).toEqual({ type: 'done' })
  })

  it('asks nothing of the external system for what is to be kept', async () => {
    one.doom()
    one.specify({ deletionPolicy: 'Orphan' })
    const released: unknown[] = []
    const connector = {
      connect: () => Promise.reject(new Error('unreachable')),
      release: (object: KubeObject) => Promise.resolve(void released.push(object)),
    }
    expect(await one.reconcile({ connector })).toEqual({ type: 'done' })
    expect(released).toHaveLength(1)
    expect(one.resource?.metadata.finalizers).toBeUndefined()
  })

  it('leaves what was never its own', async () => {
    one.annotate({}, { deletionTimestamp: one.at(0), finalizers: [FINALIZER] })
    one.specify({ claimRef: { name: 'sql' } })
    expect(await one.reconcile()).toEqual({ type: 'done' })
    expect(one.calls).toEqual([])
  })

  it('does nothing for what is held by others alone', async () => {
    one.doom(['example.org/other'])
    expect(await one.reconcile()).toEqual({ type: 'done' })
    expect([one.calls, one.writes]).toEqual([[], []])
  })

  it('waits for its turn', async () => {
    one.doom([FINALIZER, DELETION_TURN])
    expect(await one.reconcile()).toEqual({ type: 'done' })
    expect(one.calls).toEqual([])
    expect(one.condition('Ready')).toMatchObject({ reason: 'Deleting', message: expect.stringContaining('turn') as string })
  })

  it('is done when the object went meanwhile, and fails when it cannot be written', async () => {
    one.doom()
    one.observations = [GONE]
    one.failWrite = (verb) => (verb === 'update' ? notFound(subject) : undefined)
    expect(await one.reconcile()).toEqual({ type: 'done' })
    one.failWrite = (verb) => (verb === 'update' ? new Error('refused') : undefined)
    await expect(one.reconcile()).rejects.toThrow('refused')
  })

  it.each([
    ['observe', 'CannotObserveExternalResource'],
    ['delete', 'CannotDeleteExternalResource'],
  ] as const)('says what failed: %s', async (verb, reason) => {
    one.doom()
    one.external = { [verb]: () => Promise.reject(new Error('broken')) }
    await expect(one.reconcile()).rejects.toMatchObject({ reason })
    expect(one.reasons()).toEqual([`Warning ${reason}`])
  })
})

describe('what goes wrong', () => {
  beforeEach(() => one.establish())

  it('paused: nothing is asked, it is said, and told once', async () => {
    one.annotate({ [PAUSED]: 'true' })
    expect(await one.reconcile()).toEqual({ type: 'done' })
    expect(await one.reconcile()).toEqual({ type: 'done' })
    expect(one.calls).toEqual([])
    expect(one.condition('Synced')).toMatchObject({ status: 'False', reason: 'ReconcilePaused' })
    expect(one.reasons()).toEqual(['Normal ReconciliationPaused'])
  })

  it('a spec that nobody can act upon waits until it changes', async () => {
    one.specify({ managementPolicies: 'all' })
    await expect(one.reconcile()).rejects.toMatchObject({ name: 'TerminalError' })
    expect(one.reasons()).toEqual(['Warning CannotReconcile'])
    expect(one.calls).toEqual([])
  })

  it.each([
    ['CannotUpdateExternalResource', { update: () => Promise.reject(new Error('broken')) }],
    ['CannotObserveExternalResource', { observe: () => Promise.reject(new Error('broken')) }],
  ])('%s is told', async (reason, broken) => {
    one.observations = [{ ...AVAILABLE, upToDate: false }]
    one.external = broken
    await expect(one.reconcile()).rejects.toMatchObject({ reason })
    expect(one.reasons()).toEqual([`Warning ${reason}`])
    expect(one.condition('Synced')?.message).toContain('broken')
  })

  it('details that cannot be published are told', async () => {
    one.specify({ writeConnectionSecretToRef: { name: 'details', namespace: 'default' } })
    one.observations = [{ ...AVAILABLE, connection: { password: 'x' } }]
    one.failWrite = (_verb, object) => (isSecret(object) ? new Error('no room') : undefined)
    await expect(one.reconcile()).rejects.toMatchObject({ reason: 'CannotPublishConnectionDetails' })
  })

  it('a resource that cannot be written is told', async () => {
    one.observations = [{ ...AVAILABLE, lateInit: { color: 'grey' } }]
    one.failWrite = (verb) => (verb === 'update' ? new Error('refused') : undefined)
    await expect(one.reconcile()).rejects.toMatchObject({ reason: 'CannotUpdateManagedResource' })
    expect(one.reasons()).toEqual(['Warning CannotUpdateManagedResource'])
  })

  it('an external system that says when is asked again then, not all at once', async () => {
    one.external = { observe: () => Promise.reject(new ExternalError('Throttled', 'slow down', { retryAfterMs: 1_000 })) }
    expect(await one.reconcile()).toEqual(again(1_050))
    expect(one.condition('Synced')?.message).toContain('slow down')
  })

  it('what it waits for is followed, and no longer when it is there', async () => {
    const missing = { connect: (_object: ManagedResource, { credentials }: ConnectContext) => credentials().then(one.externalClient) }
    const configKinds = [{ group: 'fake.weft.dev', kind: 'ProviderConfig' }]
    one.specify({ providerConfigRef: { name: 'default' } })
    one.annotate({ [OWNERSHIP]: JSON.stringify({ uid: 'uid-1', state: 'held', config: 'default', name: 'thing' }) })
    await expect(one.reconcile({ connector: missing, configKinds })).rejects.toMatchObject({ reason: 'CannotConnectToProvider' })
    expect(one.needs).toMatchObject([{ kind: configKinds[0] }])
    await one.reconcile({ configKinds })
    expect(one.needs).toEqual([])
  })

  it.each([
    ['stopping says nothing', new Error('stop'), []],
    [
      'a reconcile that took too long is told',
      Object.assign(new Error('took too long'), { name: 'ReconcileTimeoutError' }),
      ['Warning CannotConnectToProvider'],
    ],
  ])('%s', async (_reason, reason, told) => {
    const stopped = AbortSignal.abort(reason)
    await expect(one.reconcile({}, { signal: stopped, client: one.client(stopped) })).rejects.toThrow()
    expect(one.reasons()).toEqual(told)
    expect(one.writes).toEqual(told.length === 0 ? [] : ['status'])
  })

  it.each([notFound(subject), conflict(subject, 'changed'), new Error('refused')])(
    'a report that fails hides nothing: %s',
    async (refused) => {
      const warnings: unknown[] = []
      one.external = { observe: () => Promise.reject(new Error('broken')) }
      one.failWrite = (verb) => (verb === 'status' ? refused : undefined)
      await expect(one.reconcile({}, { log: { ...silentLog, warn: (message: string) => void warnings.push(message) } })).rejects.toThrow(
        'broken',
      )
      expect(warnings).toHaveLength(refused.message === 'refused' ? 1 : 0)
    },
  )

  it('what is gone is forgotten', async () => {
    const forgotten: unknown[] = []
    one.resource = undefined
    expect(
      await one.reconcile({
        connector: { connect: () => Promise.resolve(one.externalClient()), forget: (request) => void forgotten.push(request) },
      }),
    ).toEqual({
      type: 'done',
    })
    expect(forgotten).toEqual([{ name: 'thing' }])
  })
})
