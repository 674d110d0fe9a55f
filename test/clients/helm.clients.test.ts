import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { clientTier } from './tier.mjs'

const clients = await clientTier()
const program = 'skipped' in clients ? undefined : clients.helm

const templates = {
  'service.yaml': `
apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}}
spec:
  selector: {app: {{ .Release.Name }}}
  ports: [{port: {{ .Values.port }}}]
`,
  'claim.yaml': `
apiVersion: database.crossplane.io/v1alpha1
kind: MySQLInstance
metadata: {name: {{ .Release.Name }}}
spec:
  classSelector: {matchLabels: {tier: cheap}}
  writeConnectionSecretToRef: {name: {{ .Release.Name }}}
`,
}

describe.runIf(program !== undefined)('an unmodified Helm', () => {
  let weft: WeftProcess
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-helm-'))
    await mkdir(join(folder, 'chart', 'templates'), { recursive: true })
    await writeFile(join(folder, 'chart', 'Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 0.1.0\n')
    await writeFile(join(folder, 'chart', 'values.yaml'), 'port: 80\n')
    for (const [name, text] of Object.entries(templates)) await writeFile(join(folder, 'chart', 'templates', name), text)
    weft = await startWeft()
  })
  afterAll(async () => {
    await weft?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const helm = (...args: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, HOME: folder, KUBECONFIG: weft.kubeconfig }
      execFile(program ?? '', args, { env }, (error, stdout, stderr) => (error === null ? resolve(stdout) : reject(new Error(stderr))))
    })

  test('waits for a release with a Service of its own address and a claim, upgrades it, and uninstalls it', async () => {
    const chart = join(folder, 'chart')
    // It waits for addresses of Services: without one it would wait until its time is over.
    expect(await helm('install', 'shop', chart, '--wait', '--timeout', '120s')).toContain('STATUS: deployed')
    expect(await helm('upgrade', 'shop', chart, '--set', 'port=81', '--wait', '--timeout', '120s')).toContain('REVISION: 2')
    expect(await helm('uninstall', 'shop', '--wait', '--timeout', '120s')).toContain('uninstalled')
  })
})
