// Makes the image, as an OCI layout and without an engine: Debian's libraries, Node, Weft with PostgreSQL. `npm run pack -- image`.
import { execFile } from 'node:child_process'
import { copyFile, cp, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { ensureBuilt, root } from '../setup.mjs'
import { ACCOUNT, layBaseSystem } from './base-system.mjs'
import { BUNDLED_NODE, nodeBinary } from './node-binary.mjs'
import { writeLayout } from './oci-layout.mjs'
import { digestOf, layStandalone, makeExecutable } from './standalone.mjs'

const run = promisify(execFile)
const compress = promisify(gzip)
const WEFT = ['/weft/bin/node', '/weft/bin/weft.mjs']
const EPOCH = new Date(0)

/**
 * Leaves an OCI layout in the folder. What changes least comes first, so that upgrades fetch little.
 * @returns {Promise<string>} the folder
 */
export async function packImage(target) {
  ensureBuilt()
  const work = await mkdtemp(join(tmpdir(), 'weft-image-'))
  try {
    const layers = []
    for (const [name, lay] of Object.entries(LAYERS)) {
      await mkdir(join(work, name))
      await lay(join(work, name))
      layers.push(await layerOf(join(work, name)))
    }
    const { version } = JSON.parse(await readFile(join(root, 'packages', 'cli', 'package.json'), 'utf8'))
    await writeLayout(target, {
      tag: version,
      platform: { architecture: 'amd64', os: 'linux' },
      // What the chart and the manifests run unless told otherwise.
      annotations: { 'io.containerd.image.name': `weft:${version}` },
      config: { mediaType: 'application/vnd.oci.image.config.v1+json', bytes: configuration(layers, version) },
      layers,
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return target
}

const LAYERS = {
  system: layBaseSystem,
  node: async (folder) => {
    const node = join(folder, 'weft', 'bin', 'node')
    await mkdir(join(folder, 'weft', 'bin'), { recursive: true })
    await copyFile(await nodeBinary(BUNDLED_NODE, 'linux-x64'), node)
    await makeExecutable(node)
    await run('strip', ['--strip-all', node]).catch(() => undefined)
  },
  weft: async (folder) => {
    await layStandalone(join(folder, 'weft'), { postgresql: true })
    await cp(join(root, 'packages', 'cli', 'bin'), join(folder, 'weft', 'bin'), { recursive: true })
  },
}

/** Nobody can write to anything but /data and /tmp: the root may as well be read-only. */
const CONFIG = {
  User: `${ACCOUNT}:${ACCOUNT}`,
  WorkingDir: '/data',
  Env: ['PATH=/weft/bin:/usr/bin', 'HOME=/data', 'NODE_ENV=production'],
  Entrypoint: WEFT,
  Cmd: ['start'],
  Volumes: { '/data': {}, '/tmp': {} },
  ExposedPorts: { '6443/tcp': {}, '8081/tcp': {}, '9443/tcp': {} },
  // For engines that look at it; Kubernetes has probes of its own.
  Healthcheck: { Test: ['CMD', ...WEFT, 'status'], Interval: 30e9, Timeout: 10e9, StartPeriod: 30e9, Retries: 3 },
}

async function layerOf(folder) {
  const archive = pack()
  const chunks = []
  const collected = (async () => {
    for await (const chunk of archive) chunks.push(chunk)
  })()
  // With types: asked for names alone, Node goes through links to folders.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).toSorted()
  for (const path of files) await addEntry(archive, folder, path)
  archive.finalize()
  await collected
  const tar = Buffer.concat(chunks)
  const bytes = await compress(tar, { level: 6 })
  return { mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', bytes, diffId: `sha256:${digestOf(tar)}` }
}

async function addEntry(archive, folder, path) {
  const file = join(folder, path)
  const status = await lstat(file)
  const owner = path === 'data' ? ACCOUNT : 0
  const header = { name: path.split(sep).join('/'), mode: modeOf(status), mtime: EPOCH, uid: owner, gid: owner }
  const add = (entry, bytes) =>
    new Promise((resolve, reject) => archive.entry({ ...header, ...entry }, bytes, (error) => (error ? reject(error) : resolve())))
  if (status.isDirectory()) await add({ type: 'directory' })
  else if (status.isSymbolicLink()) await add({ type: 'symlink', linkname: await readlink(file) })
  else await add({ type: 'file' }, await readFile(file))
}

/** The same wherever it is built, whatever its umask. */
const modeOf = (status) => (status.isDirectory() ? (status.mode & 0o1000 ? 0o1777 : 0o755) : status.mode & 0o100 ? 0o755 : 0o644)

const configuration = (layers, version) =>
  Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      config: { ...CONFIG, Labels: labels(version) },
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    }),
  )

const labels = (version) => ({
  'org.opencontainers.image.title': 'weft',
  'org.opencontainers.image.version': version,
  'org.opencontainers.image.licenses': 'Apache-2.0',
})
