import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KroProcess, startKro } from '../kro/start-kro.ts'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { type Kubectl, kubectl } from './kubectl.ts'
import { clientTier } from './tier.mjs'

const clients = await clientTier()
const program = 'skipped' in clients ? undefined : clients.kro

const graph = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: stores}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Store
    spec: {tier: string}
    status: {secret: "\${claim.spec.writeConnectionSecretToRef.name}"}
  resources:
  - id: claim
    readyWhen: ["\${claim.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')}"]
    template:
      apiVersion: database.crossplane.io/v1alpha1
      kind: MySQLInstance
      metadata: {name: "\${schema.metadata.name}"}
      spec:
        classSelector: {matchLabels: {tier: "\${schema.spec.tier}"}}
        writeConnectionSecretToRef: {name: "\${schema.metadata.name}"}
---
apiVersion: nop.crossplane.io/v1alpha1
kind: NopResourceClass
metadata: {name: small, labels: {tier: cheap}}
specTemplate:
  reclaimPolicy: Delete
  writeConnectionSecretsToNamespace: default
  forProvider:
    connectionDetails:
    - {name: username, value: admin}
`
const store = `
apiVersion: kro.run/v1alpha1
kind: Store
metadata: {name: shop, namespace: default}
spec: {tier: cheap}
`

describe.runIf(program !== undefined)('an unmodified kro', () => {
  let weft: WeftProcess
  let kro: KroProcess
  let home: string
  let k: Kubectl

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'weft-kro-'))
    weft = await startWeft()
    k = kubectl('skipped' in clients ? '' : (clients.kubectls[0]?.path ?? ''), weft.kubeconfig, home)
    await k.ok(['apply', '--server-side', '-f', program?.crds ?? ''])
    await k.ok(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s'])
    kro = startKro(program?.kro ?? '', weft.kubeconfig)
  })
  afterAll(async () => {
    await kro?.stop()
    await weft?.stop()
    await rm(home, { recursive: true, force: true })
  })

  test('makes a claim from a ResourceGraphDefinition, sees it become ready, and takes it away again', async () => {
    await k.ok(['apply', '-f', '-'], { input: graph })
    await k.ok(['wait', '--for=condition=Ready', 'rgd/stores', '--timeout=120s'])
    await k.ok(['apply', '-f', '-'], { input: store })
    await k.ok(['wait', '--for=condition=Ready', 'store/shop', '--timeout=120s'])
    expect(await k.ok(['get', 'mysqlinstance', 'shop'])).toMatch(/shop\s+True\s+True\s+Bound/)
    expect(await k.ok(['get', 'secret', 'shop', '-o', 'jsonpath={.data.username}'])).toBe('YWRtaW4=')
    expect(await k.ok(['get', 'store', 'shop', '-o', 'jsonpath={.status.secret}'])).toBe('shop')

    await k.ok(['delete', 'store', 'shop', '--timeout=120s'])
    expect((await k.run(['get', 'mysqlinstance', 'shop'])).stderr).toContain('NotFound')
    await k.ok(['wait', '--for=delete', '--timeout=60s', 'nopresources', '--all'])
    await k.ok(['delete', 'rgd', 'stores', '--timeout=120s'])
    await k.ok(['wait', '--for=delete', 'crd/stores.kro.run', '--timeout=60s'])
  })
})
