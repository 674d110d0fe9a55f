import { fileURLToPath } from 'node:url'
import { startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureHelm } from '../helm/build.mjs'
import { ensureKubernetes } from './build.mjs'
import { kubeconfigFile, run } from './weft-start.ts'

const CHART = fileURLToPath(new URL('../../deploy/chart', import.meta.url))
const MANIFESTS = fileURLToPath(new URL('../../deploy/manifests/weft.yaml', import.meta.url))

const helm = await ensureHelm()
const kubernetes = await ensureKubernetes()
const missing = 'skipped' in helm ? helm.skipped : 'skipped' in kubernetes ? kubernetes.skipped : undefined

describe.skipIf(missing !== undefined)('the chart and the plain manifests', () => {
  const programs = { helm: 'helm' in helm ? helm.helm : '', kubectl: 'kubectl' in kubernetes ? kubernetes.kubectl : '' }
  let server: TestServer
  let admin: { path: string; remove(): Promise<void> }
  beforeAll(async () => {
    server = await startTestServer()
    admin = await kubeconfigFile((await server.listen()).kubeconfig)
    await server.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'crossplane-system' } })
  })
  afterAll(async () => {
    await server.close()
    await admin.remove()
  })

  const template = (...args: readonly string[]) =>
    run(programs.helm, ['template', 'weft', CHART, '--namespace', 'crossplane-system', '--kube-version', '1.36.0', ...args])
  const dryRun = (manifests: string) =>
    run(programs.kubectl, ['--kubeconfig', admin.path, 'apply', '--dry-run=server', '-f', '-'], manifests)

  it('passes helm lint', async () => {
    const { code, stdout } = await run(programs.helm, ['lint', '--strict', CHART])
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('0 chart(s) failed') })
  })

  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['as it comes', [], ['deployment.apps/weft', 'networkpolicy', 'poddisruptionbudget', 'weft-metrics', 'weft:impersonation'], []],
    [
      'with less',
      [
        'networkPolicy.enabled=false',
        'podDisruptionBudget.enabled=false',
        'metrics.enabled=false',
        'impersonation.enabled=false',
        'browse.allUsers=false',
      ],
      ['deployment.apps/weft'],
      [
        'networkpolicy',
        'poddisruptionbudget',
        'weft-metrics',
        'weft:impersonation',
        'clusterrolebinding.rbac.authorization.k8s.io/weft-browser',
      ],
    ],
    [
      'with more',
      [
        'replicas=5',
        'packages={registry.example.org/provider-dns:v1}',
        'nodeSelector.disk=fast',
        'activation.enabled=false',
        'extraArgs={--log-level=debug}',
      ],
      ['deployment.apps/weft'],
      [],
    ],
  ])('helm template | kubectl apply --dry-run=server: %s', async (_reason, values, present, absent) => {
    const rendered = await template(...values.flatMap((value) => ['--set', value]))
    expect(rendered.stderr).toBe('')
    const { code, stdout, stderr } = await dryRun(rendered.stdout)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const name of present) expect(stdout).toContain(name)
    for (const name of absent) expect(stdout).not.toContain(name)
  })

  it('values reach the command line of the replicas', async () => {
    const { stdout } = await template(
      '--set',
      'providers={nop,gcp}',
      '--set',
      'packages={registry.example.org/provider-dns:v1}',
      '--set',
      'leaseSeconds=30',
    )
    for (const argument of [
      '--provider=nop',
      '--provider=gcp',
      '--package=registry.example.org/provider-dns:v1',
      '--activation=*',
      '--lease-seconds=30',
    ])
      expect(stdout).toContain(`- "${argument}"`)
  })

  it.each(['replicas=many', 'replica=3', 'providers={unknown}', 'image.pullPolicy=Sometimes'])(
    'refuses values that mean nothing: %s',
    async (value) => {
      expect((await template('--set', value)).code).not.toBe(0)
    },
  )

  it('the plain manifests are accepted too', async () => {
    const { code, stdout } = await run(programs.kubectl, ['--kubeconfig', admin.path, 'apply', '--dry-run=server', '-f', MANIFESTS])
    expect(code).toBe(0)
    expect(stdout).toContain('deployment.apps/weft created')
  })
})
