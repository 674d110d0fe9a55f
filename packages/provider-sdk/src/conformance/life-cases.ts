import assert from 'node:assert/strict'
import { findCondition, getOwn, isJsonObject, specOf } from '@weft/api'
import { secretKind } from '@weft/client'
import { CONNECTION_SECRET_TYPE } from '@weft/composition'
import { FINALIZER, RECONCILE_REQUESTED_AT } from '../resource/annotations.ts'
import { statusOf } from '../resource/managed-resource.ts'
import { annotated, discard, expectCount, expectEvent, expectMatches, expectStays } from './expectations.ts'
import { type ConditionalCase, namespaceObject, SECRET_NAMESPACE } from './subject.ts'

/** A resource that is created, changed and kept right. */
export const lifeCases: readonly ConditionalCase[] = [
  {
    name: 'creates the external resource once, and says so',
    async run(world, subject) {
      const resource = subject.resource('life')
      await world.apply(namespaceObject)
      await world.apply(resource)
      const ready = await world.ready(resource, subject.timeoutMs)
      const { conditions, bindingPhase } = statusOf(ready)
      const synced = findCondition(conditions, 'Synced')
      assert.equal(synced?.status, 'True')
      assert.equal(synced?.reason, 'ReconcileSuccess')
      assert.equal(findCondition(conditions, 'Ready')?.reason, 'Available')
      assert.equal(bindingPhase, 'Unbound')
      assert.ok(ready.metadata.finalizers?.includes(FINALIZER))
      await expectMatches(world, subject, resource)
      await expectStays(world, subject, 'life', 1)
      if (subject.external.count !== undefined) await expectEvent(world, ready, 'CreatedExternalResource')
      await discard(world, subject, resource)
    },
  },
  {
    // A18, F15, B31
    name: 'names it after the annotation, with prefix and suffix, and never adds them twice',
    applies: ({ external }) => external.count !== undefined,
    async run(world, subject) {
      const annotations = {
        'crossplane.io/external-name': 'known',
        'crossplane.io/external-name-prefix': 'pre-',
        'crossplane.io/external-name-suffix': '-post',
      }
      const resource = annotated(subject.resource('named'), annotations)
      await world.apply(resource)
      const ready = await world.ready(resource, subject.timeoutMs)
      assert.equal(ready.metadata.annotations?.['crossplane.io/external-name'], 'known')
      await expectStays(world, subject, 'pre-known-post', 1)
      await expectCount(world, subject, 'named', 0)
      await discard(world, subject, resource)
      await expectCount(world, subject, 'pre-known-post', 0)
    },
  },
  {
    // X6
    name: 'publishes connection details in a secret that belongs to it',
    applies: ({ connectionKeys }) => connectionKeys !== undefined,
    async run(world, subject) {
      await world.apply(namespaceObject)
      const resource = subject.resource('connected')
      await world.apply(resource)
      const ready = await world.ready(resource, subject.timeoutMs)
      const ref = getOwn(specOf(ready), 'writeConnectionSecretToRef')
      const name = isJsonObject(ref) ? String(ref['name']) : ''
      await world.eventually(async () => {
        const secret = await world.client.get(secretKind, { namespace: SECRET_NAMESPACE, name })
        assert.equal(secret.type, CONNECTION_SECRET_TYPE)
        assert.equal(secret.metadata.ownerReferences?.find(({ controller }) => controller)?.uid, ready.metadata.uid)
        for (const key of subject.connectionKeys ?? []) assert.ok(Object.hasOwn(secret.data ?? {}, key), `connection secret has no ${key}`)
      }, subject.timeoutMs)
      await discard(world, subject, resource)
    },
  },
  {
    // X6
    name: 'refuses to write a secret that is not its own',
    applies: ({ connectionKeys }) => connectionKeys !== undefined,
    async run(world, subject) {
      await world.apply(namespaceObject)
      const resource = subject.resource('foreign')
      const ref = getOwn(specOf(resource), 'writeConnectionSecretToRef')
      const name = isJsonObject(ref) ? String(ref['name']) : ''
      await world.apply({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: SECRET_NAMESPACE, name },
        type: 'Opaque',
        stringData: { theirs: 'yes' },
      })
      await world.apply(resource)
      await world.condition(resource, 'Synced', 'False', subject.timeoutMs)
      const secret = await world.client.get(secretKind, { namespace: SECRET_NAMESPACE, name })
      assert.deepEqual(Object.keys(secret.data ?? {}), ['theirs'])
      await world.client.delete(secretKind, { namespace: SECRET_NAMESPACE, name })
      await world.condition(resource, 'Synced', 'True', subject.timeoutMs)
      await discard(world, subject, resource)
    },
  },
  {
    name: 'changes the external resource when the managed resource changes',
    applies: ({ change }) => change !== undefined,
    async run(world, subject) {
      const resource = subject.resource('changing')
      await world.apply(resource)
      await world.ready(resource, subject.timeoutMs)
      const changed = subject.change?.(resource) ?? resource
      await world.apply(changed)
      await expectMatches(world, subject, changed)
      await expectEvent(world, resource, 'UpdatedExternalResource')
      await discard(world, subject, resource)
    },
  },
  {
    name: 'repairs what somebody changed by hand',
    applies: ({ external }) => external.drift !== undefined,
    async run(world, subject) {
      const resource = subject.resource('drifting')
      await world.apply(resource)
      await world.ready(resource, subject.timeoutMs)
      await subject.external.drift?.('drifting')
      await expectMatches(world, subject, resource)
      await discard(world, subject, resource)
    },
  },
  {
    name: 'makes again what somebody removed by hand',
    applies: ({ external }) => external.remove !== undefined,
    async run(world, subject) {
      const resource = subject.resource('removed')
      await world.apply(resource)
      await world.ready(resource, subject.timeoutMs)
      await subject.external.remove?.('removed')
      await expectCount(world, subject, 'removed', 1)
      await world.ready(resource, subject.timeoutMs)
      await discard(world, subject, resource)
    },
  },
  {
    name: 'fills in what the external system chose, and nothing else (late initialisation)',
    applies: ({ lateInit }) => lateInit !== undefined,
    async run(world, subject) {
      const { lateInit } = subject
      if (lateInit === undefined) return
      const resource = lateInit.resource('late')
      await world.apply(resource)
      await world.eventually(async () => {
        const forProvider = getOwn(specOf((await world.find(resource)) ?? resource), 'forProvider')
        assert.ok(
          isJsonObject(forProvider) && getOwn(forProvider, lateInit.field) !== undefined,
          `spec.forProvider.${lateInit.field} was not filled in`,
        )
      }, subject.timeoutMs)
      await world.ready(resource, subject.timeoutMs)
      await discard(world, subject, resource)
    },
  },
  {
    // X8, A16
    name: 'resolves references in whatever order the objects are applied',
    applies: ({ references }) => references !== undefined,
    async run(world, subject) {
      for (const order of ['forwards', 'backwards'] as const) {
        const objects = subject.references?.(`refs-${order}`) ?? []
        for (const object of order === 'forwards' ? objects : objects.toReversed()) await world.apply(object)
        for (const object of objects) await world.ready(object, subject.timeoutMs)
        // All at once: whoever refers may go later than what it refers to.
        for (const object of objects) await world.delete(object)
        for (const object of objects) await world.gone(object, subject.timeoutMs)
      }
    },
  },
  {
    name: 'looks at once when asked to (crossplane.io/reconcile-requested-at)',
    async run(world, subject) {
      const resource = subject.resource('asked')
      await world.apply(resource)
      await world.ready(resource, subject.timeoutMs)
      await world.edit(resource, (current) => annotated(current, { [RECONCILE_REQUESTED_AT]: '2026-01-01T00:00:00Z' }))
      await world.eventually(
        async () => assert.equal(statusOf((await world.find(resource)) ?? resource).lastHandledReconcileAt, '2026-01-01T00:00:00Z'),
        subject.timeoutMs,
      )
      await discard(world, subject, resource)
    },
  },
]
