import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@weft/api'
import { startControlPlane } from '@weft/controlplane'
import { inProcessTransport } from '@weft/plane'
import { createClient } from '@weft/client'
import { eventually } from '@weft/testing'
import { expect, test } from 'vitest'

const POLICY: KubeObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'teams' },
  spec: {
    matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }] },
    validations: [{ expression: "object.metadata.name != 'forbidden'" }],
    auditAnnotations: [{ key: 'name', valueExpression: "'it is ' + object.metadata.name" }],
  },
}
const BINDING: KubeObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'teams' },
  spec: { policyName: 'teams', validationActions: ['Audit'] },
}

test('what policies say about a request is in the audit log', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'weft-audit-'))
  const file = join(directory, 'audit.log')
  const plane = await startControlPlane({ dataDir: directory, inMemory: true, apiOnly: true, auditLog: file, log: () => undefined })
  try {
    const client = createClient({ transport: inProcessTransport(plane.api, { username: 'jane', groups: ['system:masters'] }) })
    await client.create(POLICY)
    await client.create(BINDING)
    let made = 0
    const create = (name: string): Promise<KubeObject> =>
      client.create<KubeObject>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name } })
    const annotationsOf = async (name: string): Promise<Record<string, string>> => {
      const lines = (await readFile(file, 'utf8')).trim().split('\n')
      const events = lines.map((line) => JSON.parse(line) as { verb: string; annotations?: Record<string, string> })
      return (
        events.find(({ verb, annotations = {} }) => verb === 'create' && annotations['teams/name'] === `it is ${name}`)?.annotations ?? {}
      )
    }
    // A policy takes effect a moment after it is written.
    await eventually(async () => {
      const name = `harmless-${made++}`
      await create(name)
      await eventually(async () => expect(await annotationsOf(name)).toMatchObject({ 'teams/name': `it is ${name}` }), { timeoutMs: 1_000 })
    })
    await create('forbidden')
    await eventually(async () =>
      expect((await annotationsOf('forbidden'))['validation.policy.admission.k8s.io/validation_failure']).toContain('"policy":"teams"'),
    )
  } finally {
    await plane.stop()
    await rm(directory, { recursive: true, force: true })
  }
})
