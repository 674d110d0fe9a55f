// Starts a fresh etcd and kube-apiserver (and, if asked, the controller
// manager) on loopback, each time with new data, keys and ports. Run directly,
// it prints where the server is and keeps it until it is ended itself.
import { spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openSync, closeSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { ensureKubernetes } from './build.mjs'

const READY_WITHIN_MS = 60_000
const ATTEMPTS = 5

/**
 * @param {object} [options]
 * @param {string} [options.dir] parent of the temporary folder
 * @param {boolean} [options.controllerManager] also run the controllers: garbage collection, namespace deletion, service accounts
 * @param {boolean} [options.durable] let etcd fsync, as in production: slower, and what a benchmark must compare with
 */
export async function startKubernetes({ dir = tmpdir(), controllerManager = false, durable = false } = {}) {
  const binaries = await ensureKubernetes()
  if ('skipped' in binaries) throw new Error(`no Kubernetes on this machine: ${binaries.skipped}`)
  await mkdir(dir, { recursive: true })
  for (let attempt = 1; ; attempt++) {
    const cluster = new Processes(await mkdtemp(join(dir, 'weft-kubernetes-')))
    try {
      return await start(cluster, binaries, { controllerManager, durable })
    } catch (error) {
      // kube-apiserver cannot choose a free port by itself, so another process
      // may take the one picked for it before it binds.
      const portTaken = (await cluster.logs()).includes('address already in use')
      if (portTaken && attempt < ATTEMPTS) {
        await cluster.stop()
        continue
      }
      await cluster.kill()
      error.message += `\n${await cluster.logs()}\n(the whole logs are in ${cluster.dir})`
      throw error
    }
  }
}

async function start(cluster, binaries, { controllerManager, durable }) {
  const started = performance.now()
  const { dir } = cluster
  const file = (name) => join(dir, name)

  // Ports chosen by etcd itself: it tells them in its log.
  const anyPort = 'http://127.0.0.1:0'
  cluster.run('etcd', binaries.etcd, [
    `--data-dir=${file('etcd')}`,
    `--listen-client-urls=${anyPort}`,
    `--advertise-client-urls=${anyPort}`,
    `--listen-peer-urls=${anyPort}`,
    `--initial-advertise-peer-urls=${anyPort}`,
    `--initial-cluster=default=${anyPort}`,
    ...(durable ? [] : ['--unsafe-no-fsync']),
  ])
  const adminToken = randomBytes(16).toString('hex')
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
  })
  await writeFile(file('tokens.csv'), `${adminToken},admin,admin,system:masters\n`, { mode: 0o600 })
  await writeFile(file('service-account.pub'), publicKey)
  await writeFile(file('service-account.key'), privateKey, { mode: 0o600 })
  const etcdAddress = await cluster.until(
    'etcd to serve',
    async () => /"msg":"serving client traffic insecurely.*"address":"([^"]+)"/.exec(await cluster.log('etcd'))?.[1],
  )

  const port = await freePort()
  const server = `https://127.0.0.1:${port}`
  cluster.run('apiserver', binaries.apiserver, [
    `--etcd-servers=http://${etcdAddress}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--advertise-address=127.0.0.1',
    // An Endpoints object may not hold a loopback address, and none is needed.
    '--endpoint-reconciler-type=none',
    `--cert-dir=${file('certificates')}`,
    `--token-auth-file=${file('tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('service-account.pub')}`,
    `--service-account-signing-key-file=${file('service-account.key')}`,
    '--service-cluster-ip-range=10.0.0.0/16',
    // Without the controllers no namespace has a service account, and this
    // plugin would refuse every pod.
    ...(controllerManager ? [] : ['--disable-admission-plugins=ServiceAccount']),
  ])
  const caPath = file('certificates/apiserver.crt')
  const get = async (path) => httpsGet(server + path, { ca: await readFile(caPath), token: adminToken })
  await cluster.until('/readyz', async () => (await get('/readyz')) === 200)

  const ca = await readFile(caPath, 'utf8')
  const kubeconfigPath = file('kubeconfig.json')
  await writeFile(kubeconfigPath, JSON.stringify(kubeconfig(server, ca, adminToken)), { mode: 0o600 })

  if (controllerManager) {
    cluster.run('controllerManager', binaries.controllerManager, [
      `--kubeconfig=${kubeconfigPath}`,
      '--leader-elect=false',
      '--secure-port=0',
      `--root-ca-file=${caPath}`,
      `--service-account-private-key-file=${file('service-account.key')}`,
    ])
    // What a client expects of every namespace, made by controllers.
    const expected = ['serviceaccounts/default', 'configmaps/kube-root-ca.crt']
    for (const path of expected) await cluster.until(path, async () => (await get(`/api/v1/namespaces/default/${path}`)) === 200)
  }

  return {
    server,
    kubeconfigPath,
    ca,
    adminToken,
    kubectlPath: binaries.kubectl,
    version: binaries.version,
    dir,
    pids: cluster.pids,
    startMs: Math.round(performance.now() - started),
    stop: () => cluster.stop(),
  }
}

/** The child processes of one cluster, and its folder with their logs. */
class Processes {
  #children = new Map()
  #watchdog

  constructor(dir) {
    this.dir = dir
    // Kills the children and removes the folder when this process ends in any
    // way, SIGKILL included: its standard input closes then. Detached, so that
    // Ctrl-C in a terminal does not end it first.
    const script = 'while read -r pid; do pids="$pids $pid"; done; kill -9 $pids 2>/dev/null; rm -rf "$1"'
    this.#watchdog = spawn('sh', ['-c', script, 'watchdog', dir], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      cwd: '/',
    })
    this.#watchdog.unref()
    this.#watchdog.stdin.unref()
  }

  get pids() {
    return Object.fromEntries([...this.#children].map(([name, child]) => [name, child.pid]))
  }

  run(name, command, args) {
    const log = openSync(this.#logPath(name), 'a')
    const child = spawn(command, args, { cwd: this.dir, stdio: ['ignore', log, log] })
    closeSync(log)
    child.on('error', (error) => (child.failure = error.message))
    child.unref()
    if (child.pid) this.#watchdog.stdin.write(`${child.pid}\n`)
    this.#children.set(name, child)
  }

  /** Polls `probe` until it answers something; fails early when a child has died. */
  async until(what, probe) {
    const deadline = Date.now() + READY_WITHIN_MS
    let last
    while (Date.now() < deadline) {
      for (const [name, child] of this.#children)
        if (ended(child)) throw new Error(`${name} ended (${child.failure ?? child.signalCode ?? child.exitCode}) before ${what}`)
      try {
        const answer = await probe()
        if (answer) return answer
      } catch (error) {
        last = error
      }
      await sleep(25)
    }
    throw new Error(`waited ${READY_WITHIN_MS / 1000} s for ${what}`, { cause: last })
  }

  log(name) {
    return readFile(this.#logPath(name), 'utf8').catch(() => '')
  }

  /** The end of every log. */
  async logs() {
    const tail = async (name) => `--- ${name}\n${(await this.log(name)).trimEnd().split('\n').slice(-30).join('\n')}`
    return (await Promise.all([...this.#children.keys()].map(tail))).join('\n')
  }

  /** Nothing is worth a graceful end: the data goes too. */
  async kill() {
    const running = [...this.#children.values()].filter((child) => !ended(child))
    await Promise.all(
      running.map((child) => {
        child.ref()
        child.kill('SIGKILL')
        return once(child, 'exit')
      }),
    )
    this.#watchdog.kill('SIGKILL')
  }

  async stop() {
    await this.kill()
    await rm(this.dir, { recursive: true, force: true })
  }

  #logPath(name) {
    return join(this.dir, `${name}.log`)
  }
}

const ended = (child) => child.exitCode !== null || child.signalCode !== null || child.failure !== undefined

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return port
}

function httpsGet(url, { ca, token }) {
  return new Promise((resolve, reject) => {
    const options = { ca, agent: false, timeout: 5000, headers: { authorization: `Bearer ${token}` } }
    const call = request(url, options, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode))
    })
    call.on('timeout', () => call.destroy(new Error('timeout')))
    call.on('error', reject)
    call.end()
  })
}

const kubeconfig = (server, ca, token) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'local', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
  users: [{ name: 'admin', user: { token } }],
  contexts: [{ name: 'local', context: { cluster: 'local', user: 'admin' } }],
  'current-context': 'local',
})

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const kubernetes = await startKubernetes({
    controllerManager: process.argv.includes('--controller-manager'),
    durable: process.argv.includes('--durable'),
  })
  console.log(JSON.stringify(kubernetes, undefined, 2))
  setInterval(() => {}, 60_000)
}
