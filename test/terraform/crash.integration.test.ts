import { execFileSync } from 'node:child_process'
import { existsSync, chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { findCondition, type KubeObject } from '../../packages/api/src/index.ts'
import { type Client, createClient, httpTransport, loadKubeconfig } from '../../packages/client/src/index.ts'
import { conditionsOf } from '../../packages/composition/src/index.ts'
import { fixedPort, type Server, startServer } from '../integration/crash/server.ts'
import { User } from '../integration/managed-crash/user.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`tests of Terraform providers are skipped: ${skipped}`)

/** WEFT_TERRAFORM_CRASH=full: as many as the product promises; else as many as there is time for on every change. */
const FULL = process.env['WEFT_TERRAFORM_CRASH'] === 'full'
const COUNT = FULL ? 200 : 40
/** Of Weft, and as many of its provider. */
const KILLS = FULL ? 30 : 6
const TOTAL_MS = FULL ? 3_600_000 : 600_000

const GROUP = 'weftframework.tf.weft.dev'
const THING = { group: GROUP, kind: 'Thing' }
const SECRET = { group: '', kind: 'Secret' }
const NAME = 'crossplane.io/external-name'
const PENDING = 'crossplane.io/external-create-pending'

const cleanUps: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

/** A control plane that is killed, and the things that its provider makes. */
class Site {
  readonly directory = mkdtempSync(join(tmpdir(), 'weft-crash-things-'))
  readonly dataDir = mkdtempSync(join(tmpdir(), 'weft-crash-'))
  readonly program: string
  readonly #ended = new AbortController()
  #port = 0
  server!: Server
  client!: Client
  user!: User
  /** Interrupted creates that somebody has looked at already, by the words that they were told in. */
  readonly #lookedAt = new Set<string>()
  settledByHand = 0

  constructor(program: string) {
    this.program = program
  }

  async open(): Promise<void> {
    // As root the provider is somebody else.
    chmodSync(this.directory, 0o777)
    this.#port = await fixedPort()
    this.start()
    cleanUps.push(async () => {
      this.#ended.abort(new Error('the test is over'))
      await this.server.kill()
      for (const path of [this.directory, this.dataDir]) rmSync(path, { recursive: true, force: true })
    })
    await this.server.ready
    const { namespace: _, ...connection } = await loadKubeconfig({ paths: [join(this.dataDir, 'kubeconfig')] })
    const transport = httpTransport(connection)
    cleanUps.push(() => transport.close())
    this.client = createClient({ transport, fieldManager: 'test' })
    this.user = new User(this.client, this.#ended.signal)
    for (const object of this.#setUp()) await this.user.create(object)
  }

  start(): void {
    this.server = startServer(this.dataDir, this.#port, [
      '--no-console',
      '--provider',
      'nop',
      '--allow-provider-executables',
      '--package-path',
      dirname(this.program),
    ])
  }

  #setUp(): KubeObject[] {
    return [
      {
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'Provider',
        metadata: { name: 'things' },
        spec: { package: `terraform:hashicorp/weftframework@0.0.1?from=${this.program}` },
      },
      {
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'ManagedResourceActivationPolicy',
        metadata: { name: 'things' },
        spec: { activate: [`*.${GROUP}`] },
      },
      {
        apiVersion: `${GROUP}/v1alpha1`,
        kind: 'ProviderConfig',
        metadata: { name: 'default' },
        spec: { configuration: { directory: this.directory } },
      },
    ] as KubeObject[]
  }

  thing(at: number): KubeObject {
    return {
      apiVersion: `${GROUP}/v1alpha1`,
      kind: 'Thing',
      metadata: { name: `t${at}x` },
      spec: { deletionPolicy: 'Delete', forProvider: { name: `t${at}x`, mode: 'slow:30ms' } },
    } as KubeObject
  }

  /** How much was done, counted where it is done. */
  done(): number {
    try {
      return readFileSync(join(this.directory, 'operations.log'), 'utf8').split('\n').length - 1
    } catch {
      return 0
    }
  }

  files(): string[] {
    return readdirSync(this.directory)
      .filter((file) => file.endsWith('.json'))
      .sort()
  }

  /** The provider's processes: children of the control plane that run its program. */
  providers(parent = this.server.pid): number[] {
    try {
      const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)], { encoding: 'utf8' }).split('\n')
      return lines.filter((line) => line.includes('terraform-provider-weftframework')).map((line) => Number.parseInt(line, 10))
    } catch {
      return []
    }
  }

  /** Somebody who does what a stopped resource asks for: looks, and says what there is. Each interruption once. */
  async lookAfterInterrupted(): Promise<void> {
    const { items } = await this.client.list(THING)
    for (const object of items) {
      const message = findCondition(conditionsOf(object), 'Synced')?.message ?? ''
      const key = `${object.metadata.name} ${/interrupted at (\S+),/.exec(message)?.[1] ?? ''}`
      if (key.endsWith(' ') || this.#lookedAt.has(key)) continue
      const { name = '', annotations = {} } = object.metadata
      const found = this.files().find((file) => file.startsWith(`${name}-`))
      const change = found === undefined ? { [PENDING]: null } : { [NAME]: found.replace('.json', '') }
      if (found === undefined && annotations[PENDING] === undefined) continue
      await this.client.patch(
        THING,
        { name },
        {
          type: 'merge',
          body: { metadata: { uid: object.metadata.uid, resourceVersion: object.metadata.resourceVersion, annotations: change } },
        },
      )
      this.#lookedAt.add(key)
      this.settledByHand++
    }
  }
}

describe.skipIf(skipped !== undefined || process.platform !== 'linux')('Terraform providers and a control plane that keep dying', () => {
  test(
    `T206: ${COUNT} things are made and removed under ${KILLS} SIGKILLs of Weft and ${KILLS} of the provider`,
    { timeout: TOTAL_MS },
    async () => {
      const site = new Site((built as TerraformProviders).framework)
      await site.open()
      const things = Array.from({ length: COUNT }, (_, at) => site.thing(at))
      const killed = { weft: 0, provider: 0 }
      const abandoned: string[] = []

      /** Each kill comes when some more has been done, so that it hits what is under way however slow the machine is. */
      const killing = async (kills: number, until: () => boolean): Promise<void> => {
        for (let kill = 0; kill < kills; kill++) {
          const before = site.done()
          const step = Math.max(1, Math.floor(COUNT / (kills * 2)))
          for (let waits = 0; site.done() < before + step && !until() && waits < 1_500; waits++) {
            if (waits % 10 === 9) await site.lookAfterInterrupted().catch(() => undefined)
            await sleep(20)
          }
          if (kill % 2 === 0) {
            const orphans = site.providers()
            await site.server.kill()
            killed.weft++
            // T208: providers end with the control plane.
            const lives = (pid: number): boolean => {
              try {
                return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('terraform-provider-weftframework')
              } catch {
                return false
              }
            }
            for (let waits = 0; orphans.some(lives) && waits < 500; waits++) await sleep(20)
            abandoned.push(...orphans.filter(lives).map(String))
            site.start()
            await site.server.ready
          } else {
            let pids = site.providers()
            for (let waits = 0; pids.length === 0 && !until() && waits < 1_500; waits++) {
              await sleep(20)
              pids = site.providers()
            }
            for (const pid of pids) process.kill(pid, 'SIGKILL')
            killed.provider++
          }
        }
      }
      const settled = async (check: () => Promise<void>): Promise<void> => {
        for (const deadline = Date.now() + TOTAL_MS / 3; ; await sleep(100)) {
          try {
            await site.lookAfterInterrupted()
            return await check()
          } catch (error) {
            if (Date.now() > deadline) throw error
          }
        }
      }

      const creating = Promise.all(things.map((thing) => site.user.create(thing)))
      await killing(KILLS, () => site.files().length >= COUNT)
      await creating
      await settled(async () => {
        const { items } = await site.client.list(THING)
        const unready = items.filter((item) =>
          ['Ready', 'Synced'].some((type) => findCondition(conditionsOf(item), type)?.status !== 'True'),
        )
        expect(unready.map((item) => [item.metadata.name, JSON.stringify(conditionsOf(item))])).toEqual([])
        expect(items).toHaveLength(COUNT)
      })
      // Counted where they are: each once, under the name that its object knows.
      const { items } = await site.client.list(THING)
      expect(site.files()).toEqual(items.map(({ metadata }) => `${metadata.annotations?.[NAME]}.json`).sort())
      expect(
        site
          .files()
          .map((file) => file.replace(/-[0-9a-f]+\.json$/, ''))
          .sort(),
      ).toEqual(things.map(({ metadata }) => metadata.name).sort())
      // The provider refuses to read what it has no private state for: ready after a look means that it has it.
      const secrets = (await site.client.list(SECRET, { namespace: 'crossplane-system' })).items.filter(
        ({ type }) => type === 'terraform.weft.dev/state',
      )
      expect(secrets).toHaveLength(COUNT)
      for (const { data } of secrets)
        expect(Object.keys(data as object)).toEqual(expect.arrayContaining(['identity', 'private', 'record', 'state']))

      const removing = Promise.all(things.map((thing) => site.user.delete(thing)))
      await killing(KILLS, () => site.files().length === 0)
      await removing
      await settled(async () => {
        const left = (await site.client.list(THING)).items
        expect(left.map((item) => [item.metadata.name, JSON.stringify(conditionsOf(item))])).toEqual([])
      })
      expect(site.files()).toEqual([])
      await settled(async () => {
        const { items: left } = await site.client.list(SECRET, { namespace: 'crossplane-system' })
        expect(left.filter(({ type }) => type === 'terraform.weft.dev/state')).toEqual([])
      })
      const journal = join(site.dataDir, 'terraform', 'journal')
      expect(existsSync(journal) ? readdirSync(journal) : []).toEqual([])
      expect(abandoned).toEqual([])
      expect(killed).toEqual({ weft: KILLS, provider: KILLS })
      process.stderr.write(
        `${COUNT} things, ${JSON.stringify(killed)} kills, ${site.settledByHand} interrupted creates looked at by hand\n`,
      )
    },
  )
})
