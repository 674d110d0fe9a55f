import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
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

const database = `
apiVersion: postgresql.weft.dev/v1alpha1
kind: PostgreSQLServerClass
metadata:
  name: local
  annotations: {resourceclass.crossplane.io/is-default-class: "true"}
specTemplate:
  reclaimPolicy: Delete
  writeConnectionSecretsToNamespace: crossplane-system
---
apiVersion: database.crossplane.io/v1alpha1
kind: PostgreSQLInstance
metadata: {name: app, namespace: default}
spec:
  writeConnectionSecretToRef: {name: app}
`

test('S8 S15: a claim of the default class gets a real PostgreSQL server, and its secret alone connects', async () => {
  await k.ok(['apply', '-f', '-'], { input: database })
  await k.ok(['wait', '--for=condition=Ready', '--timeout=120s', 'postgresqlinstance/app'])
  const { data } = JSON.parse(await k.ok(['get', 'secret', 'app', '-o', 'json'])) as { data: Record<string, string> }
  const detail = (name: string): string => Buffer.from(data[name] ?? '', 'base64').toString()
  const connection = new pg.Client({
    host: detail('endpoint'),
    port: Number(detail('port')),
    user: detail('username'),
    password: detail('password'),
    database: 'postgres',
  })
  await connection.connect()
  expect((await connection.query('select 40 + 2 as answer')).rows).toEqual([{ answer: 42 }])
  await connection.end()
  await k.ok(['delete', 'postgresqlinstance', 'app', '--timeout=60s'])
  await k.ok(['wait', '--for=delete', '--timeout=60s', 'postgresqlservers', '--all'])
})
