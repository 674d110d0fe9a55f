import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { type Kubectl, kubectl } from './kubectl.ts'
import { clientTier } from './tier.mjs'

const clients = await clientTier()
if ('skipped' in clients) throw new Error(`the tier was started on a machine that cannot run it: ${clients.skipped}`)

let weft: WeftProcess
let home: string
let k: Kubectl

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'weft-kubectl-'))
  weft = await startWeft()
  k = kubectl(clients.kubectls[0]?.path ?? '', weft.kubeconfig, home)
})
afterAll(async () => {
  await weft.stop()
  await rm(home, { recursive: true, force: true })
})

const world = `
apiVersion: nop.crossplane.io/v1alpha1
kind: NopResourceClass
metadata: {name: small, labels: {tier: cheap}}
specTemplate:
  reclaimPolicy: Delete
  writeConnectionSecretsToNamespace: default
  forProvider:
    connectionDetails:
    - {name: username, value: admin}
---
apiVersion: database.crossplane.io/v1alpha1
kind: MySQLInstance
metadata: {name: sql, namespace: default}
spec:
  classSelector: {matchLabels: {tier: cheap}}
  writeConnectionSecretToRef: {name: sql}
`

test('M9 S5: a claim finds a class, a managed resource becomes Ready, its secret reaches the claim, and all of it goes again', async () => {
  await k.ok(['apply', '-f', '-'], { input: world })
  await k.ok(['wait', '--for=condition=Ready', '--timeout=30s', 'mysqlinstance/sql'])
  expect(await k.ok(['get', 'mysqlinstance', 'sql'])).toMatch(/sql\s+True\s+True\s+Bound\s+NopResourceClass\s+small/)
  expect(await k.ok(['get', 'nopresources'])).toMatch(/default-sql-\w{5}\s+True\s+True/)
  expect(await k.ok(['get', 'secret', 'sql', '-o', 'jsonpath={.data.username}'])).toBe('YWRtaW4=')
  await k.ok(['delete', 'mysqlinstance', 'sql', '--timeout=30s'])
  await k.ok(['wait', '--for=delete', '--timeout=30s', 'nopresources', '--all'])
})
