import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureHelm } from '../helm/build.mjs'
import { type RegistryProcess, startRegistry } from '../registry/registry-process.ts'
import { expectDeployed, startCluster } from './cluster.ts'
import { typedUnder } from './install-page.ts'
import { satisfyClaim } from './satisfy-claim.ts'

const run = promisify(execFile)
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const isRoot = process.getuid?.() === 0
const helm = await ensureHelm()
if ('skipped' in helm) console.log(`Helm does not pull the chart: ${helm.skipped}`)
if (!isRoot) console.log('the image is not run: only root can enter another root')

/** What `npm run pack -- image` and `-- chart` make, by way of a real registry. */
describe.runIf(process.platform === 'linux' && process.arch === 'x64')('Weft as an image', () => {
  let folder: string
  let registry: RegistryProcess
  let config: Record<string, any>
  /** A line of the page, with the registry of the test in the place of the reader's. */
  const typed = (line: string) =>
    run('sh', ['-c', `${line.replace('registry.example.org/team', registry.host)} --to "${folder}"`], { cwd: root })
  const fetched = async (path: string): Promise<Buffer> => {
    const answer = await fetch(`http://${registry.host}/v2/${path}`, { headers: { accept: 'application/vnd.oci.image.manifest.v1+json' } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return Buffer.from(await answer.arrayBuffer())
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-image-test-'))
    registry = await startRegistry()
    const [image = '', chart = ''] = await typedUnder('An image')
    await typed(image)
    await typed(chart)
    const manifest = JSON.parse((await fetched('weft/manifests/0.1.0')).toString()) as Record<string, any>
    config = JSON.parse((await fetched(`weft/blobs/${manifest['config'].digest}`)).toString()) as Record<string, any>
    await mkdir(join(folder, 'root'))
    for (const { digest } of manifest['layers']) {
      const bytes = await fetched(`weft/blobs/${digest}`)
      expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest)
      await writeFile(join(folder, 'layer'), bytes)
      await run('tar', ['-xzf', join(folder, 'layer'), '-C', join(folder, 'root')])
    }
  }, 900_000)
  afterAll(async () => {
    await registry?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('is the one that the manifests run, as nobody, with a health check', async () => {
    const index = JSON.parse(await readFile(join(folder, 'image', 'index.json'), 'utf8')) as Record<string, any>
    const manifests = parseAllDocuments(await readFile(join(root, 'deploy', 'manifests', 'weft.yaml'), 'utf8')).map((each) => each.toJS())
    const deployment = manifests.find((object) => object?.kind === 'Deployment')
    expect(index['manifests'][0].annotations['io.containerd.image.name']).toBe(deployment.spec.template.spec.containers[0].image)
    expect(config['config'].User).toBe(`${deployment.spec.template.spec.securityContext.runAsUser}:65532`)
    expect(config['config'].Healthcheck.Test.slice(0, 3)).toEqual(['CMD', ...config['config'].Entrypoint])
  })

  it.runIf(isRoot)('satisfies a claim with a PostgreSQL server from a root that nobody can write to', { timeout: 600_000 }, async () => {
    const { Entrypoint, Env, User, Healthcheck } = config['config']
    const system = join(folder, 'root')
    // As an engine would: devices, /proc, writable volumes, everything else read-only; and all that ends with the process.
    const enter = `mount --bind "$1" "$1" && mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && mount --bind "$1/data" "$1/data" \
&& mount -t tmpfs tmpfs "$1/tmp" && mount -o remount,ro,bind "$1" && root="$1" && shift && exec env -i ${Env.join(' ')} "$(command -v chroot)" --userspec=${User} "$root" "$@"`
    const inside = (args: readonly string[]): string[] => ['--mount', 'sh', '-c', enter, 'enter', system, ...args]
    const child = spawn('unshare', inside([...Entrypoint, 'up', '--data-dir', '/data/.weft', '--port', '0', '--no-console']), {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (data: Buffer) => (output += data.toString()))
    child.stderr.on('data', (data: Buffer) => (output += data.toString()))
    try {
      await expect.poll(() => (child.exitCode === null ? output : `ended: ${output}`), { timeout: 180_000 }).toMatch(/ready at|ended:/)
      expect(child.exitCode, output).toBeNull()
      const env = { ...process.env, KUBECONFIG: join(system, 'data', '.weft', 'kubeconfig') }
      const weft = async (...args: string[]): Promise<string> =>
        (await run(process.execPath, [join(root, 'packages', 'cli', 'bin', 'weft.mjs'), ...args], { env })).stdout
      await satisfyClaim(weft)
      const health = await run('unshare', inside(['sh', '-c', `cd /data && exec "$@"`, 'health', ...Healthcheck.Test.slice(1)]))
      expect(health.stdout).toContain('ready')
      await expect(run('unshare', inside(['sh', '-c', 'echo > /weft/new']))).rejects.toThrow(/Read-only file system/)
    } finally {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      if (child.exitCode === null) await ended
    }
    expect(output).toContain('ready at')
  })

  it('comes with a chart of the kind that Helm knows', async () => {
    const manifest = JSON.parse((await fetched('charts/weft/manifests/0.1.0')).toString()) as Record<string, any>
    expect(manifest['config'].mediaType).toBe('application/vnd.cncf.helm.config.v1+json')
    const [{ mediaType, digest }] = manifest['layers']
    expect(mediaType).toBe('application/vnd.cncf.helm.chart.content.v1.tar+gzip')
    await writeFile(join(folder, 'chart.tgz'), await fetched(`charts/weft/blobs/${digest}`))
    const { stdout } = await run('tar', ['-tzf', join(folder, 'chart.tgz')])
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['weft/Chart.yaml', 'weft/values.yaml', 'weft/templates/weft.yaml']))
  })

  it.runIf('helm' in helm)('which Helm pulls and installs by the line of the page', { timeout: 300_000 }, async () => {
    const line = (await typedUnder('An image')).find((each) => each.startsWith('helm install ')) ?? ''
    const [, ...words] = line.replaceAll('registry.example.org/team', registry.host).split(' ')
    const cluster = await startCluster()
    const env = {
      ...process.env,
      HELM_CACHE_HOME: join(folder, 'helm'),
      HELM_CONFIG_HOME: join(folder, 'helm'),
      KUBECONFIG: cluster.kubeconfig,
    }
    try {
      const { stdout } = await run('helm' in helm ? helm.helm : '', [...words, '--plain-http'], { env })
      expect(stdout).toContain('STATUS: deployed')
      const command = [join(root, 'packages', 'cli', 'bin', 'weft.mjs')]
      await expectDeployed(
        async (...args) => (await run(process.execPath, [...command, ...args], { env })).stdout,
        `${registry.host}/weft:0.1.0`,
      )
    } finally {
      await cluster.stop()
    }
  })
})
