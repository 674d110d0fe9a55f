import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCondition, hasReason, type KubeObject } from '@weft/api'
import { eventually, kubernetesAccess } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import { startAttackedWorld } from './world.ts'

interface AuditEvent {
  readonly verb: string
  readonly user: { readonly username: string; readonly groups?: readonly string[] }
  readonly objectRef?: { readonly resource: string; readonly apiGroup?: string }
}
const CLAIM = { group: 'database.crossplane.io', kind: 'MySQLInstance' }
const INSTALLED = new Set(['customresourcedefinitions', 'namespaces', 'clusterroles', 'clusterrolebindings', 'providers'])

describe('what Weft’s own controllers act as', () => {
  it('none of them is a master, and each keeps to its part', async (context) => {
    if (kubernetesAccess() !== undefined)
      return context.skip('on Kubernetes Weft is one account, whose roles an administrator installs: test/kubernetes/installed')
    const folder = await mkdtemp(join(tmpdir(), 'weft-audit-'))
    const log = join(folder, 'audit.log')
    const world = await startAttackedWorld({ args: ['--audit-log', log] })
    try {
      const amy = await world.persona('application-operator', { name: 'amy', namespace: 'shop' })
      const ivy = await world.persona('infrastructure-operator', { name: 'ivy', namespace: 'platform' })
      const made: KubeObject = {
        apiVersion: 'infrastructure.crossplane.io/v1alpha1',
        kind: 'ResourceClass',
        metadata: { name: 'small', annotations: { 'resourceclass.crossplane.io/is-default-class': 'true' } },
        spec: {
          claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' },
          resource: { base: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } } },
        },
      }
      const retrying = <T>(attempt: () => Promise<T>): Promise<T | undefined> =>
        eventually(() =>
          attempt().catch((error: unknown) => (hasReason(error, 'AlreadyExists') ? undefined : Promise.reject(error as Error))),
        )
      await retrying(() => ivy.client.create(made))
      await retrying(() =>
        amy.client.create({
          apiVersion: `${CLAIM.group}/v1alpha1`,
          kind: CLAIM.kind,
          metadata: { name: 'db', namespace: 'shop' },
          spec: {},
        }),
      )
      await eventually(async () => {
        const claim = await amy.client.get(CLAIM, { name: 'db', namespace: 'shop' })
        const { conditions } = (claim['status'] ?? {}) as { conditions?: Parameters<typeof findCondition>[0] }
        expect(findCondition(conditions, 'Ready')?.status).toBe('True')
      })
    } finally {
      await world.stop()
    }
    const lines = (await readFile(log, 'utf8')).trim().split('\n')
    await rm(folder, { recursive: true, force: true })
    const events = lines.map((line) => JSON.parse(line) as AuditEvent).filter(({ user }) => user.username.startsWith('system:weft'))
    const masters = events.filter(({ user }) => user.groups?.includes('system:masters') === true)
    expect([...new Set(masters.map(({ user }) => user.username))]).toEqual(['system:weft:installer'])
    expect(masters.filter(({ objectRef }) => objectRef !== undefined && !INSTALLED.has(objectRef.resource))).toEqual([])
    const writers = events.filter(({ verb, objectRef }) => verb === 'create' && objectRef?.resource === 'nopresources')
    expect([...new Set(writers.map(({ user }) => user.username))]).toEqual(['system:weft:claims'])
    const granting = events.filter(
      ({ verb, objectRef }) => objectRef?.resource === 'clusterroles' && !['get', 'list', 'watch'].includes(verb),
    )
    expect([...new Set(granting.map(({ user }) => user.username))].toSorted()).toEqual(['system:weft:installer', 'system:weft:rights'])
  })
})
