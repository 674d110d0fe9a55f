import { findCondition, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { type Plan, planChange } from '@weft/plan'
import { startControlPlane, type TestControlPlane, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apply, claim, database, databaseDefinition, PLATFORM, requirement } from './plan-world.ts'

let plane: TestControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
  await apply(plane.client, ...PLATFORM)
})
afterAll(() => plane.stop())

const summary = ({ changes }: Plan): readonly string[] =>
  changes.map(({ action, depth, object }) => `${' '.repeat(depth)}${action} ${object.kind} ${object.name}`)

const settled = async (...objects: readonly KubeObject[]): Promise<void> => {
  await apply(plane.client, ...objects)
  for (const object of objects)
    await waitFor(plane.client, kindOf(object), refOf(object), (found) => found !== undefined && isReady(found), { timeoutMs: 60_000 })
}
const kindOf = ({ apiVersion, kind }: KubeObject) => ({ group: apiVersion.split('/')[0] ?? '', kind })
const refOf = ({ metadata: { name = '', namespace } }: KubeObject) => ({ name, namespace })
const isReady = (object: KubeObject): boolean => findCondition(conditionsOf(object), 'Ready')?.status === 'True'

describe('plan', () => {
  test('down to the managed resources of what does not exist yet', async () => {
    const plan = await planChange(plane.client, { apply: [requirement('new', { size: 3, region: 'west' }, 'database-large')] })
    expect(summary(plan)).toEqual([
      'create DatabaseRequirement new',
      ' create Database default-new-(generated)',
      '  create NopResource default-new-(generated)-(generated)',
      '  create NopResource default-new-(generated)-(generated 2)',
      '  create Network default-new-(generated)-(generated 3)',
      '   create NopResource default-new-(generated)-(generated 3)-(generated)',
    ])
    expect(plan.changes[2]?.after).toMatchObject({ spec: { forProvider: { fields: { gigabytes: 3, kind: 'primary' } } } })
    expect(plan.warnings).toEqual([])
  })

  test('field by field, of what exists', async () => {
    await settled(database('changed', { size: 1 }, 'database-small'))
    const same = await planChange(plane.client, { apply: [database('changed', { size: 1 }, 'database-small')] })
    expect(same.changes).toEqual([])
    const plan = await planChange(plane.client, { apply: [database('changed', { size: 2, region: 'east' }, 'database-small')] })
    expect(plan.changes.map(({ action, object, fields }) => [action, object.kind, fields])).toEqual([
      [
        'update',
        'Database',
        [
          { path: 'spec.region', after: 'east' },
          { path: 'spec.size', before: 1, after: 2 },
        ],
      ],
      [
        'update',
        'NopResource',
        [
          { path: 'spec.forProvider.fields.gigabytes', before: 10, after: 20 },
          { path: 'spec.forProvider.fields.region', after: 'east' },
        ],
      ],
    ])
  })

  test('S16: a claim that is edited changes nothing below it', async () => {
    await settled(claim('edited', 'plain'))
    const plan = await planChange(plane.client, { apply: [claim('edited', 'plain', '8.0')] })
    expect(summary(plan)).toEqual(['update MySQLInstance edited'])
  })

  test('A23, C25: what a deletion takes along, and what Retain keeps', async () => {
    await settled(claim('going', 'plain'), claim('staying', 'kept'), database('composed', { size: 1 }, 'database-large'))
    const goes = (kind: string, name: string, namespace?: string) =>
      planChange(plane.client, {
        delete: [
          {
            apiVersion: kind === 'Database' ? 'example.org/v1alpha1' : 'database.crossplane.io/v1alpha1',
            kind,
            name,
            ...(namespace && { namespace }),
          },
        ],
      })
    expect((await goes('MySQLInstance', 'going', 'default')).changes.map(({ action, object }) => `${action} ${object.kind}`)).toEqual([
      'delete MySQLInstance',
      'delete NopResource',
    ])
    const kept = await goes('MySQLInstance', 'staying', 'default')
    expect(kept.changes.map(({ action, object, why }) => [action, object.kind, why])).toEqual([
      ['delete', 'MySQLInstance', undefined],
      ['keep', 'NopResource', 'its reclaimPolicy is Retain'],
    ])
    expect((await goes('Database', 'composed')).changes.map(({ action, object }) => `${action} ${object.kind}`)).toEqual([
      'delete Database',
      'delete NopResource',
      'delete NopResource',
      'delete Network',
      'delete NopResource',
    ])
  })

  test('what a definition defines can be planned together with it', async () => {
    const cache = JSON.parse(JSON.stringify(PLATFORM[1]).replaceAll('etwork', 'etwork2')) as KubeObject
    const { changes } = await planChange(plane.client, {
      apply: [
        { apiVersion: 'example.org/v1alpha1', kind: 'Network2', metadata: { name: 'n' }, spec: { size: 4 } },
        cache,
        { ...(JSON.parse(JSON.stringify(PLATFORM[4]).replaceAll('etwork', 'etwork2')) as KubeObject) },
      ],
    })
    expect(changes.map(({ action, object }) => `${action} ${object.kind}`).toSorted()).toEqual([
      'create Composition',
      'create CustomResourceDefinition',
      'create InfrastructureDefinition',
      'create Network2',
      'create NopResource',
    ])
  })

  test('what would not work is said, and what would be refused is an error', async () => {
    const broken = await planChange(plane.client, { apply: [database('broken', { size: 1 }, 'nowhere')] })
    expect(broken.warnings).toEqual([expect.stringContaining('Composition nowhere')])
    await expect(planChange(plane.client, { apply: [database('typo', { sise: 1 })] })).rejects.toMatchObject({ name: 'PlanError' })
    await expect(
      planChange(plane.client, { apply: [{ apiVersion: 'nowhere.org/v1', kind: 'Nothing', metadata: { name: 'n' } }] }),
    ).rejects.toMatchObject({ name: 'PlanError', message: expect.stringContaining('Nothing.nowhere.org') as string })
    await expect(
      planChange(plane.client, { delete: [{ apiVersion: 'example.org/v1alpha1', kind: 'Database', name: 'absent' }] }),
    ).rejects.toMatchObject({ name: 'PlanError' })
  })

  test('a definition is not changed in a way that its instances do not fit: the plan refuses it as the server would', async () => {
    await settled(database('fitting', { size: 1 }, 'database-small'))
    const changed = (template: object): KubeObject => {
      const { spec, ...rest } = databaseDefinition('database-small', 1) as KubeObject & { spec: { crdSpecTemplate: object } }
      return { ...rest, spec: { ...spec, crdSpecTemplate: { ...spec.crdSpecTemplate, ...template } } }
    }
    const needsRegion = {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', required: ['region'], properties: { size: { type: 'integer' }, region: { type: 'string' } } },
        },
      },
    }
    for (const [template, why] of [
      [{ validation: needsRegion }, /would no longer be valid.*region/],
      [{ version: 'v1beta1' }, /cannot change from v1alpha1 to v1beta1/],
    ] as const)
      await expect(planChange(plane.client, { apply: [changed(template)] })).rejects.toMatchObject({
        name: 'PlanError',
        message: expect.stringMatching(why) as string,
      })
  })

  test('C11, C13: an application, composed as an account, of kinds of Kubernetes and of a requirement', async () => {
    const app = (more: object): KubeObject => ({
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'ApplicationDefinition',
      metadata: { name: 'shops.apps.example.org' },
      spec: {
        crdSpecTemplate: {
          group: 'apps.example.org',
          version: 'v1',
          names: { kind: 'Shop', plural: 'shops' },
          validation: {
            openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } },
          },
        },
        defaultComposition: { name: 'shop' },
        ...more,
      },
    })
    const composition: KubeObject = {
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'Composition',
      metadata: { name: 'shop' },
      spec: {
        from: { apiVersion: 'apps.example.org/v1', kind: 'Shop' },
        to: [
          { base: { apiVersion: 'v1', kind: 'ConfigMap', data: { motto: 'buy' } } },
          {
            base: { apiVersion: 'example.org/v1alpha1', kind: 'DatabaseRequirement', spec: {} },
            patches: [{ fromFieldPath: 'spec.size', toFieldPath: 'spec.size' }],
          },
        ],
      },
    }
    const shop: KubeObject = { apiVersion: 'apps.example.org/v1', kind: 'Shop', metadata: { name: 'corner' }, spec: { size: 5 } }
    const plan = await planChange(plane.client, { apply: [app({}), composition, shop] })
    expect(plan.warnings).toEqual([])
    expect(plan.changes.map(({ action, object }) => `${action} ${object.kind}`)).toEqual([
      'create ApplicationDefinition',
      'create Composition',
      'create Shop',
      'create ConfigMap',
      'create DatabaseRequirement',
      'create Database',
      'create NopResource',
      'create CustomResourceDefinition',
    ])
    expect(plan.changes.find(({ object }) => object.kind === 'NopResource')?.after).toMatchObject({
      spec: { forProvider: { fields: { gigabytes: 50 } } },
    })
    const powerless = await planChange(plane.client, {
      apply: [app({ serviceAccountRef: { namespace: 'default', name: 'nobody' } }), composition, shop],
    })
    expect(powerless.warnings.join()).toContain('forbidden')
    expect(powerless.changes.some(({ object }) => object.kind === 'ConfigMap')).toBe(false)
  })

  test('cross-seed 8: deleting a definition takes its instances and kinds along', async () => {
    await settled(database('last', { size: 1 }, 'database-small'))
    const plan = await planChange(plane.client, {
      delete: [
        { apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'InfrastructurePublication', name: 'databases.example.org' },
        { apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'InfrastructureDefinition', name: 'databases.example.org' },
      ],
    })
    const gone = plan.changes.filter(({ action }) => action === 'delete').map(({ object }) => `${object.kind} ${object.name}`)
    expect(gone).toEqual(
      expect.arrayContaining([
        'InfrastructureDefinition databases.example.org',
        'CustomResourceDefinition databases.example.org',
        'CustomResourceDefinition databaserequirements.example.org',
        'Database last',
      ]),
    )
  })

  test('nothing is written', async () => {
    const before = plane.storage.revision
    await planChange(plane.client, { apply: [claim('never', 'all'), claim('never-2', 'pair')] })
    expect(plane.storage.revision).toBe(before)
  })
})

describe('rights', () => {
  test('who may look and not touch gets a plan, and is told', async () => {
    await apply(plane.client, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'looks' },
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
    } as KubeObject)
    await apply(plane.client, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'looks' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'looks' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'onlooker' }],
    } as KubeObject)
    const onlooker = plane.client.impersonate({ username: 'onlooker' })
    const plan = await planChange(onlooker, { apply: [claim('looked-at', 'single')] })
    expect(plan.changes.map(({ action, object }) => `${action} ${object.kind}`)).toEqual(['create MySQLInstance', 'create NopResource'])
    expect(plan.warnings).toEqual([expect.stringContaining('you could not apply MySQLInstance looked-at')])
    const stranger = plane.client.impersonate({ username: 'stranger' })
    // Everybody sees what is on offer.
    const guess = await planChange(stranger, { apply: [claim('looked-at', 'single')] })
    expect(guess.changes.map(({ action, object }) => `${action} ${object.kind}`)).toEqual(['create MySQLInstance', 'create NopResource'])
    expect(guess.warnings).toContainEqual(expect.stringContaining('you could not apply MySQLInstance looked-at'))
  })
})
