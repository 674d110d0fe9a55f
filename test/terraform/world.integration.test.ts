import { chmodSync, copyFileSync, existsSync, appendFileSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCondition, type KubeObject } from '../../packages/api/src/index.ts'
import { askPlans, type Client } from '../../packages/client/src/index.ts'
import { conditionsOf } from '../../packages/composition/src/index.ts'
import { eventually } from '../../packages/testing/src/index.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'
import { configOf, openProvider } from './configured-provider.ts'
import { type NameServer, startNameServer, ZONE } from './name-server.ts'
import { openProviderPlane, type ProviderPlane } from './provider-plane.ts'
import { type SlowService, startSlowService } from './slow-service.ts'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`providers of real systems are not tried: ${skipped}`)

/** How a provider is served: on SDK v2 (protocol 5), on the framework (5 and 6), and by both in one program (6). */
const FLAVOURS = ['sdk', 'framework5', 'framework6', 'mux'] as const
const PASSWORD = 'sentinel-3d77-password'

/** A kind of a real system, and how to look at the system itself. */
interface System {
  readonly kind: string
  /** What is wanted of one, in the words of the first version of the schema. */
  wanted(name: string, changed?: boolean): object
  /** The field that the second version renamed. */
  readonly renamed: readonly [string, string]
  /** The field that cannot be changed in place, and another value for it. */
  other(name: string): object
  /** What there is: `first`, `changed`, something else, or nothing. */
  look(name: string): Promise<string | undefined>
  drift(name: string): Promise<void>
  /** Made by somebody else; answers the name by which it is imported. */
  make(name: string): Promise<string>
}

describe.skipIf(skipped !== undefined)('providers of real systems', () => {
  let world: ProviderPlane
  let client: Client
  let service: SlowService
  let names: NameServer | { readonly skipped: string }
  let database: pg.Client

  const secretOf = async (namespace: string, name: string): Promise<Record<string, string>> => {
    const { data = {} } = (await client.get({ group: '', kind: 'Secret' }, { namespace, name })) as { data?: Record<string, string> }
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
  }

  beforeAll(async () => {
    const providers = built as TerraformProviders
    world = await openProviderPlane([dirname(providers.sdk)], { bundled: ['postgresql'] })
    ;({ client } = world)
    service = await startSlowService()
    names = await startNameServer(join(world.home, 'names'))
    if ('skipped' in names) console.warn(`records of a DNS server are not tried: ${names.skipped}`)
    await eventually(() =>
      client.apply({
        apiVersion: 'postgresql.weft.dev/v1alpha1',
        kind: 'PostgreSQLServer',
        metadata: { name: 'world' },
        spec: { forProvider: {}, writeConnectionSecretToRef: { namespace: 'default', name: 'world' } },
      }),
    )
    await eventually(async () =>
      expect(
        findCondition(
          conditionsOf(await client.get({ group: 'postgresql.weft.dev', kind: 'PostgreSQLServer' }, { name: 'world' })),
          'Ready',
        )?.status,
      ).toBe('True'),
    )
    const { endpoint = '', port = '', username = '', password = '' } = await secretOf('default', 'world')
    const url = `postgresql://${encodeURIComponent(username)}:${encodeURIComponent(password)}@${endpoint}:${port}/postgres`
    database = new pg.Client({ connectionString: url })
    await database.connect()
    const encoded = (text: string): string => Buffer.from(text).toString('base64')
    await client.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'default', name: 'settings' },
      data: {
        postgresql: encoded(`${url}?sslmode=disable`),
        dns_key: encoded('skipped' in names ? '' : names.key),
        word: encoded(PASSWORD),
      },
    })
    for (const flavour of FLAVOURS) {
      program(flavour, 1)
      await world.install(`world-${flavour}`, `weft.dev/${flavour}/weftworld`, program(flavour, 1))
      await client.create({
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'ManagedResourceActivationPolicy',
        metadata: { name: `world-${flavour}` },
        spec: { activate: [`*.${groupOf(flavour)}`] },
      })
      const reference = (key: string): object => ({ namespace: 'default', name: 'settings', key })
      await eventually(() =>
        client.apply({
          apiVersion: `${groupOf(flavour)}/v1alpha1`,
          kind: 'ProviderConfig',
          metadata: { name: 'default' },
          spec: {
            configuration: {
              postgresqlSecretRef: reference('postgresql'),
              dnsKeySecretRef: reference('dns_key'),
              ...(!('skipped' in names) && { dns: names.address }),
              service: service.url,
            },
          },
        } as KubeObject),
      )
      for (const kind of ['Role', 'File', 'Record', 'Job']) await eventually(() => client.list({ group: groupOf(flavour), kind }))
    }
  }, 900_000)
  afterAll(async () => {
    await database?.end()
    // It is a real server, which outlives a control plane that stops.
    if (database !== undefined) {
      const server = { group: 'postgresql.weft.dev', kind: 'PostgreSQLServer' }
      await client.delete(server, { name: 'world' })
      await eventually(async () => expect(await client.find(server, { name: 'world' })).toBeUndefined())
    }
    if (names !== undefined && !('skipped' in names)) await names.close()
    await service?.close()
    await world?.close()
  }, 120_000)

  const groupOf = (flavour: string): string => `weftworld.${flavour}.weft.dev.tf.weft.dev`
  /** A copy of the one program, which is told by its last bytes how to serve. */
  const program = (flavour: string, version: 1 | 2): string => {
    const path = join(world.programs, `terraform-provider-weftworld_${flavour}_${version}`)
    if (existsSync(path)) return path
    copyFileSync((built as TerraformProviders).world, path)
    appendFileSync(path, `\nweftworld:${flavour}:${version}\n`)
    chmodSync(path, 0o755)
    return path
  }
  const fileOf = (name: string): string => join(world.things, `${name}.txt`)
  const jobOf = (name: string) => [...service.jobs].find(([, job]) => job.name === name)

  const SYSTEMS: readonly System[] = [
    {
      kind: 'Role',
      wanted: (name, changed = false) => ({
        name: name.replaceAll('-', '_'),
        connectionLimit: changed ? 9 : 5,
        passwordSecretRef: { namespace: 'default', name: 'settings', key: 'word' },
      }),
      renamed: ['connectionLimit', 'maxSessions'],
      other: (name) => ({ name: `other_${name.replaceAll('-', '_')}` }),
      async look(name) {
        const { rows } = await database.query<{ rolconnlimit: number }>('select rolconnlimit from pg_roles where rolname = $1', [
          name.replaceAll('-', '_'),
        ])
        const [row] = rows
        return row === undefined ? undefined : row.rolconnlimit === 5 ? 'first' : row.rolconnlimit === 9 ? 'changed' : 'something else'
      },
      drift: async (name) => void (await database.query(`alter role ${name.replaceAll('-', '_')} connection limit 2`)),
      async make(name) {
        await database.query(`create role ${name.replaceAll('-', '_')} login connection limit 5`)
        return name.replaceAll('-', '_')
      },
    },
    {
      kind: 'File',
      wanted: (name, changed = false) => ({ path: fileOf(name), text: changed ? 'changed' : 'first', note: 'a note' }),
      renamed: ['note', 'remark'],
      other: (name) => ({ path: fileOf(`other-${name}`) }),
      look: async (name) => (existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8').split('\n')[1] : undefined),
      drift: async (name) => writeFileSync(fileOf(name), 'a note\nsomething else'),
      async make(name) {
        writeFileSync(fileOf(name), 'a note\nfirst')
        chmodSync(fileOf(name), 0o666)
        return fileOf(name)
      },
    },
    {
      kind: 'Record',
      wanted: (name, changed = false) => ({ zone: ZONE, name, type: 'TXT', ttl: 300, data: changed ? 'changed' : 'first' }),
      renamed: ['ttl', 'seconds'],
      other: (name) => ({ name: `other-${name}` }),
      look: async (name) => ('skipped' in names ? undefined : (await names.texts(name))[0]),
      drift: (name) => byHand('Record', name, 'something else'),
      async make(name) {
        await byHand('Record', name, 'first')
        return `${ZONE}/${name}/TXT`
      },
    },
    {
      kind: 'Job',
      wanted: (name, changed = false) => ({ name, size: changed ? 9 : 5 }),
      renamed: ['size', 'capacity'],
      other: (name) => ({ name: `other-${name}` }),
      async look(name) {
        const capacity = jobOf(name)?.[1].capacity
        return capacity === '5' ? 'first' : capacity === '9' ? 'changed' : capacity
      },
      async drift(name) {
        const job = jobOf(name)?.[1]
        if (job !== undefined) job.capacity = '2'
      },
      async make(name) {
        service.jobs.set(`job-of-${name}`, { name, capacity: '5', token: 'token', phase: 'ready', looks: 0 })
        return `job-of-${name}`
      },
    },
  ]

  /** Somebody else with the same key: the program of another flavour, outside the control plane. */
  async function byHand(kind: string, name: string, data: string | undefined): Promise<void> {
    const settings = 'skipped' in names ? {} : { dns: names.address, dns_key: names.key }
    const provider = await openProvider(program('sdk', 1), () => settings)
    try {
      const driver = provider.driver(`weftworld_${kind.toLowerCase()}`)
      const found = await driver.import({ id: `${ZONE}/${name}/TXT` })
      const read = found === undefined ? undefined : await driver.read(found)
      if (data === undefined) {
        if (read !== undefined) await driver.apply(await driver.planDelete(read))
      } else await driver.apply(await driver.plan(read, configOf(driver.schema.block, { zone: ZONE, name, type: 'TXT', ttl: 300, data })))
    } finally {
      await provider.close()
    }
  }

  describe.each(FLAVOURS)('served as %s', (flavour) => {
    const group = groupOf(flavour)
    const nameOf = ({ kind }: System, what = 'one'): string => `${flavour}-${kind.toLowerCase()}-${what}`
    const object = (system: System, name: string, more: { forProvider?: object; metadata?: object; spec?: object } = {}): KubeObject => ({
      apiVersion: `${group}/v1alpha1`,
      kind: system.kind,
      metadata: { name, ...more.metadata },
      spec: { forProvider: { ...system.wanted(name), ...more.forProvider }, ...more.spec },
    })
    const isTried = ({ kind }: System): boolean => kind !== 'Record' || !('skipped' in names)
    const reach = (system: System, name: string, condition: readonly [string, string] = ['Synced', 'True']): Promise<KubeObject> =>
      eventually(async () => {
        const found = await client.get({ group, kind: system.kind }, { name })
        const [type, status] = condition
        expect(findCondition(conditionsOf(found), type), `${name}: ${JSON.stringify(conditionsOf(found))}`).toMatchObject({ status })
        return found
      })
    const ready = async (system: System, name: string): Promise<KubeObject> => {
      await reach(system, name, ['Ready', 'True'])
      return reach(system, name)
    }
    /** Looked at until it is so: one look may be under way already. */
    const until = (system: System, name: string, wanted: string, thing = name): Promise<void> =>
      eventually(async () => {
        await client.patch(
          { group, kind: system.kind },
          { name },
          { type: 'merge', body: { metadata: { annotations: { 'crossplane.io/reconcile-requested-at': String(Math.random()) } } } },
        )
        await new Promise((resolve) => setTimeout(resolve, 200))
        expect(await system.look(thing)).toBe(wanted)
      })
    /** A look may be under way just then, and a plan says so. */
    const planOf = (resource: KubeObject): Promise<unknown> =>
      eventually(async () => {
        const [plan] = (await askPlans(client.transport, { resources: [resource] })) ?? []
        expect(plan).not.toMatchObject({ action: 'unknown', why: expect.stringContaining('right now') as string })
        return plan
      })

    const live = async (system: System): Promise<void> => {
      const name = nameOf(system)
      const kind = { group, kind: system.kind }
      await client.create(object(system, name))
      const made = await ready(system, name)
      expect(await system.look(name)).toBe('first')
      expect(await planOf(made), 'after create, a second look plans nothing').toMatchObject({ action: 'none' })
      expect(JSON.stringify(made)).not.toContain(PASSWORD)

      await system.drift(name)
      await until(system, name, 'first')
      await ready(system, name)

      const changed = object(system, name, { forProvider: system.wanted(name, true) })
      expect(await planOf({ ...made, spec: changed['spec'] } as KubeObject)).toMatchObject({ action: 'update' })
      await client.apply(changed, { force: true })
      await eventually(async () => expect(await system.look(name)).toBe('changed'))
      expect(await planOf(await ready(system, name))).toMatchObject({ action: 'none' })

      const other = object(system, name, { forProvider: { ...system.wanted(name, true), ...system.other(name) } })
      await client.apply(other, { force: true })
      const refused = await reach(system, name, ['Synced', 'False'])
      const message = findCondition(conditionsOf(refused), 'Synced')?.message ?? ''
      expect(message).toContain('terraform.weft.dev/allow-replacement')
      expect(await system.look(name), 'nothing is replaced unasked').toBe('changed')
      await client.patch(
        kind,
        { name },
        {
          type: 'merge',
          body: { metadata: { annotations: { 'terraform.weft.dev/allow-replacement': String(refused.metadata.generation) } } },
        },
      )
      await eventually(async () => expect([await system.look(name), await system.look(`other-${name}`)]).toEqual([undefined, 'changed']))
      await ready(system, name)

      const imported = nameOf(system, 'imported')
      const id = await system.make(imported)
      const adopted = object(system, imported, { metadata: { annotations: { 'crossplane.io/external-name': id } } })
      await client.create(adopted)
      expect(await planOf(await ready(system, imported))).toMatchObject({ action: 'none' })
      expect(await system.look(imported)).toBe('first')

      await client.delete(kind, { name: imported })
      await eventually(async () => expect(await client.find(kind, { name: imported })).toBeUndefined())
      expect(await system.look(imported)).toBeUndefined()
    }

    // At the same time: providers are asked about several things at once.
    test('T205: made, planned as nothing, repaired, changed, replaced, imported and removed', async () => {
      await Promise.all(SYSTEMS.filter(isTried).map(live))
    }, 300_000)

    test('T103, T210: an upgrade of the schema keeps what there is, and asks for its new words; a downgrade is refused in words and loses nothing; a killed provider is started again', async () => {
      const systems = SYSTEMS.filter(isTried)
      const install = (version: 1 | 2): Promise<KubeObject> =>
        client.patch(
          { group: 'pkg.crossplane.io', kind: 'Provider' },
          { name: `world-${flavour}` },
          {
            type: 'merge',
            body: { spec: { package: `terraform:weft.dev/${flavour}/weftworld@0.0.${version}?from=${program(flavour, version)}` } },
          },
        )
      await install(2)
      for (const system of systems) {
        const name = nameOf(system)
        const [was, is] = system.renamed
        const { [was]: value } = system.wanted(name, true) as Record<string, unknown>
        const kind = { group, kind: system.kind }
        // The schema of the new version has another word for it: nothing is lost, and nothing is unset.
        await eventually(async () => {
          const held = findCondition(conditionsOf(await client.get(kind, { name })), 'Synced')
          expect(held, `${name}: ${JSON.stringify(held)}`).toMatchObject({
            status: 'False',
            message: expect.stringContaining(`spec.forProvider.${was} is not a field of`) as string,
          })
        })
        expect((await client.get(kind, { name }))['spec']).toMatchObject({ forProvider: { [was]: value } })
        expect(await system.look(`other-${name}`)).toBe('changed')
        const found = await eventually(async () => {
          await client.patch(kind, { name }, { type: 'merge', body: { spec: { forProvider: { [was]: null, [is]: value } } } })
          const current = await ready(system, name)
          expect(current['status']).toMatchObject({ atProvider: { [is]: value } })
          return current
        })
        expect(await planOf(found), name).toMatchObject({ action: 'none' })
        expect(await system.look(`other-${name}`)).toBe('changed')
      }

      // Back to a program that knows neither the new words nor the states of the new version: it is asked nothing, and nothing is lost.
      await install(1)
      for (const system of systems) {
        const name = nameOf(system)
        const [, is] = system.renamed
        const held = await eventually(async () => {
          const found = await client.get({ group, kind: system.kind }, { name })
          const synced = findCondition(conditionsOf(found), 'Synced')
          expect(synced, `${name}: ${JSON.stringify(synced)}`).toMatchObject({
            status: 'False',
            message: expect.stringMatching(/newer version of the provider|is not a field of/) as string,
          })
          return found
        })
        expect(held['spec']).toMatchObject({ forProvider: { [is]: expect.anything() as unknown } })
        expect(await system.look(`other-${name}`)).toBe('changed')
      }
      await install(2)
      for (const system of systems) await ready(system, nameOf(system))

      const running = readdirSync('/proc')
        .filter((pid) => /^\d+$/.test(pid))
        .filter((pid) => {
          try {
            // Children of this process alone: others may try the same at the same time.
            const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')[1]
            const isOurs = parent === String(process.pid) && readlinkSync(`/proc/${pid}/exe`).includes('terraform-provider-weftworld')
            return isOurs && readFileSync(`/proc/${pid}/exe`).subarray(-40).includes(`weftworld:${flavour}:`)
          } catch {
            return false
          }
        })
      expect(running.length).toBeGreaterThan(0)
      for (const pid of running) process.kill(Number(pid), 'SIGKILL')
      for (const system of systems) {
        const name = nameOf(system)
        await system.drift(`other-${name}`)
        await until(system, name, 'changed', `other-${name}`)
      }
      for (const system of systems) {
        const name = nameOf(system)
        await client.delete({ group, kind: system.kind }, { name })
        await eventually(async () => expect(await client.find({ group, kind: system.kind }, { name })).toBeUndefined())
        expect(await system.look(`other-${name}`)).toBeUndefined()
      }
    }, 300_000)
  })
})
