import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { findCondition, type KubeObject } from '../../packages/api/src/index.ts'
import { importCommand } from '../../packages/cli/src/commands/import.ts'
import { askPlans, type Client } from '../../packages/client/src/index.ts'
import { conditionsOf } from '../../packages/composition/src/index.ts'
import { encodeJson, blockType, type ResourceState } from '../../packages/terraform/src/index.ts'
import { eventually } from '../../packages/testing/src/index.ts'
import { readGuide, wordsOf } from '../docs/guide-commands.ts'
import { ensureOpenTofu } from '../opentofu/build.mjs'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'
import { configOf, openProvider } from './configured-provider.ts'
import { openProviderPlane, type ProviderPlane } from './provider-plane.ts'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`imports of Terraform states are not tried: ${skipped}`)
const tofu = skipped === undefined ? await ensureOpenTofu() : { skipped }
const withoutTofu = 'skipped' in tofu ? tofu.skipped : undefined
if (withoutTofu !== undefined) console.warn(`imports of states that OpenTofu wrote are not tried: ${withoutTofu}`)

const SDK = 'weftsdk.test.weft.dev.tf.weft.dev'
const THING = { group: SDK, kind: 'Thing' }
const PASSWORD = 'sentinel-7f3a-password'

describe.skipIf(skipped !== undefined)('weft import terraform', () => {
  const providers = built as TerraformProviders
  let home: string
  let things: string
  let client: Client
  let world: ProviderPlane | undefined

  beforeAll(async () => {
    world = await openProviderPlane([dirname(providers.sdk)])
    ;({ home, things, client } = world)
    await Promise.all([
      world.install('weftsdk', 'weft.dev/test/weftsdk', providers.sdk),
      world.install('weftframework', 'weft.dev/test/weftframework', providers.framework),
      world.install('local', 'hashicorp/local', providers.local),
    ])
    for (const group of [SDK, 'weftframework.test.weft.dev.tf.weft.dev'])
      await eventually(() =>
        client.apply({
          apiVersion: `${group}/v1alpha1`,
          kind: 'ProviderConfig',
          metadata: { name: 'default' },
          spec: { configuration: { directory: things } },
        }),
      )
  }, 900_000)
  afterAll(() => world?.close())

  /** Runs the command as it is typed. */
  async function weft(words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    const texts = { out: '', err: '' }
    const spies = (['stdout', 'stderr'] as const).map((stream) =>
      vi.spyOn(process[stream], 'write').mockImplementation((text) => {
        texts[stream === 'stdout' ? 'out' : 'err'] += String(text)
        return true
      }),
    )
    let code = 0
    try {
      const kubeconfig = world?.plane.kubeconfigPath ?? ''
      await importCommand(async (action) => void (code = await action())).parseAsync([...words, '--kubeconfig', kubeconfig], {
        from: 'user',
      })
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
    return { code, ...texts }
  }

  const operations = (): string[] =>
    readFileSync(join(things, 'operations.log'), { encoding: 'utf8', flag: 'a+' })
      .split('\n')
      .filter((line) => line !== '')
  const file = (name: string, state: object | string): string => {
    const path = join(home, name)
    writeFileSync(path, typeof state === 'string' ? state : JSON.stringify(state))
    return path
  }
  const observed = (which: { group: string; kind: string }, name: string): Promise<KubeObject> =>
    eventually(async () => {
      const found = await client.get(which, { name })
      expect(conditionsOf(found).map(({ type, status, message }) => [type, status, message ?? ''])).toEqual(
        expect.arrayContaining([
          ['Ready', 'True', expect.anything()],
          ['Synced', 'True', expect.anything()],
        ]),
      )
      return found
    })

  /** What was made by whoever runs this test is also the provider's. */
  const share = (): void => {
    for (const name of readdirSync(things)) chmodSync(join(things, name), 0o777)
  }

  /** Makes a thing as Terraform would have, and says what its state file would say of it. */
  async function applied(kind: 'sdk' | 'framework', config: object): Promise<{ instance: object; id: string }> {
    const provider = await openProvider(providers[kind], () => ({ directory: things }))
    try {
      const driver = provider.driver(`weft${kind}_thing`)
      const wanted = configOf(driver.schema.block, config)
      const { state } = await driver.apply(await driver.plan(undefined, wanted))
      const { value, private: bytes } = state as ResourceState
      const { identity } = driver.store(state as ResourceState)
      const attributes = JSON.parse(encodeJson(blockType(driver.schema.block), value)) as { id: string }
      return {
        id: attributes.id,
        instance: {
          schema_version: driver.schema.version,
          attributes,
          sensitive_attributes: [],
          private: Buffer.from(bytes).toString('base64'),
          ...(identity !== undefined && { identity: JSON.parse(identity.json) as object, identity_schema_version: identity.version }),
        },
      }
    } finally {
      await provider.close()
      share()
    }
  }
  const state = (resources: object[], lineage = '11111111-1111-1111-1111-111111111111'): object => ({
    version: 4,
    terraform_version: '1.12.0',
    serial: 1,
    lineage,
    outputs: {},
    resources,
  })
  const resource = (type: string, name: string, instances: object[], more: object = {}): object => ({
    mode: 'managed',
    type: `weft${type}_thing`,
    name,
    provider: `provider["weft.dev/test/weft${type}"]`,
    instances,
    ...more,
  })

  test('what a state holds is observed and then managed, and nothing real is touched on the way', async () => {
    const web = await applied('sdk', { name: 'web', size: 3, password: PASSWORD, tags: { a: 'b' }, network: [{ cidr: '10.0.0.0/8' }] })
    const first = await applied('sdk', { name: 'first' })
    const path = file(
      'first.tfstate',
      state([
        resource('sdk', 'web_server', [web.instance]),
        resource('sdk', 'many', [{ index_key: 'a/b', ...first.instance }], { module: 'module.Net["x"]' }),
        { ...(resource('sdk', 'looked', []) as object), mode: 'data' },
        {
          mode: 'managed',
          type: 'aws_vpc',
          name: 'main',
          provider: 'provider["registry.terraform.io/hashicorp/aws"]',
          instances: [{ schema_version: 1, attributes: { id: 'vpc-1' } }],
        },
      ]),
    )
    const before = operations()

    const dry = await weft(['terraform', path, '--dry-run'])
    expect(dry.out).toMatch(/weftsdk_thing\.web_server +Thing +web-server/)
    expect(dry.out).toMatch(/module\.Net\["x"\]\.weftsdk_thing\.many\["a\/b"\] +Thing +net-x-many-a-b/)
    expect(dry.err).toContain('weft provider add hashicorp/aws')
    expect(dry.err).toContain('data.weftsdk_thing.looked is a data source')
    expect(dry.code, 'something was left out').toBe(1)
    expect(await client.find(THING, { name: 'web-server' }).catch(() => undefined)).toBeUndefined()

    const printed = await weft(['terraform', path, '-o', 'yaml'])
    expect(printed.out + printed.err).not.toContain(PASSWORD)
    const manifest = parseAllDocuments(printed.out)
      .map((document) => document.toJS() as KubeObject)
      .find(({ metadata }) => metadata.name === 'web-server')
    expect(manifest?.['spec']).toEqual({
      managementPolicies: ['Observe'],
      forProvider: {
        name: 'web',
        size: 3,
        // The older SDK keeps zeros where nothing was given, and a zero may have been given.
        big: 0,
        ratio: 0,
        note: 'noted',
        passwordSecretRef: { namespace: 'crossplane-system', name: 'thing-web-server-imported', key: 'passwordSecretRef' },
        tags: { a: 'b' },
        network: { cidr: '10.0.0.0/8', label: 'labelled' },
      },
    })

    const done = await weft(['terraform', path])
    expect(done.out).toMatch(/web_server +Thing +web-server +imported/)
    const made = await observed(THING, 'web-server')
    expect(made['status']).toMatchObject({ atProvider: { id: web.id, size: 3, name: 'web' } })
    expect(made.metadata.annotations?.['crossplane.io/external-name']).toBe(web.id)
    expect(JSON.stringify(made)).not.toContain(PASSWORD)
    const stored = await client.get(
      { group: '', kind: 'Secret' },
      { namespace: 'crossplane-system', name: `terraform-state-${made.metadata.uid ?? ''}` },
    )
    const { private: kept } = (web.instance as { private: string }) ?? {}
    expect((stored['data'] as Record<string, string>)['private'], 'T170: what the provider keeps for itself').toBe(kept)

    const again = await weft(['terraform', path])
    expect(again.out).toMatch(/web_server +Thing +web-server +there already/)
    expect(again.out, 'nobody says of what was there before that it only observes').not.toContain('only observe')
    expect((await client.list(THING)).items.map(({ metadata }) => metadata.name).toSorted()).toEqual(['net-x-many-a-b', 'web-server'])

    await client.patch(THING, { name: 'net-x-many-a-b' }, { type: 'merge', body: { spec: { forProvider: { size: 9 } } } })
    const refused = await weft(['terraform', path, '--take-over'])
    expect(refused.out).toMatch(/web-server +taken over/)
    expect(refused.out).toMatch(/net-x-many-a-b +not taken over: its provider would change size/)
    expect(refused.err).toContain('size: 1 → 9')
    expect(refused.code).toBe(1)
    expect((await client.get(THING, { name: 'web-server' }))['spec']).not.toHaveProperty('managementPolicies')
    expect((await client.get(THING, { name: 'net-x-many-a-b' }))['spec']).toHaveProperty('managementPolicies', ['Observe'])

    await client.patch(THING, { name: 'net-x-many-a-b' }, { type: 'merge', body: { spec: { forProvider: { size: 1, name: 'other' } } } })
    expect((await weft(['terraform', path, '--take-over', '--accept-changes'])).out).toMatch(
      /would delete it and create it again, because of name/,
    )
    await observed(THING, 'web-server')
    expect(operations(), 'nothing was created, changed or deleted').toEqual(before)

    // It is managed now.
    await client.patch(THING, { name: 'web-server' }, { type: 'merge', body: { spec: { forProvider: { size: 4 } } } })
    await eventually(() => expect(operations().length).toBe(before.length + 1))
    expect(operations().at(-1)).toMatch(/^update web/)
  }, 180_000)

  test('a state of an older schema, and one without what the provider keeps for itself, is taken all the same', async () => {
    const old = await applied('sdk', { name: 'old' })
    const { name, ...attributes } = (old.instance as { attributes: Record<string, unknown> }).attributes
    const shown = await applied('framework', { name: 'shown' })
    const path = file(
      'old.tfstate',
      state([resource('sdk', 'aged', [{ ...old.instance, schema_version: 0, attributes: { ...attributes, title: name } }])], 'old'),
    )
    expect((await weft(['terraform', path])).out).toMatch(/aged +imported/)
    expect((await observed(THING, 'aged'))['spec']).toMatchObject({ forProvider: { name: 'old' } })

    const values = (shown.instance as { attributes: Record<string, unknown> }).attributes
    const json = file('shown.json', {
      format_version: '1.0',
      terraform_version: '1.12.0',
      values: {
        root_module: {
          child_modules: [
            {
              address: 'module.a',
              resources: [
                {
                  address: 'module.a.weftframework_thing.it',
                  mode: 'managed',
                  type: 'weftframework_thing',
                  name: 'it',
                  provider_name: 'weft.dev/test/weftframework',
                  schema_version: 2,
                  values,
                  sensitive_values: {},
                },
              ],
            },
          ],
        },
      },
    })
    const done = await weft(['terraform', json])
    expect(done.out).toMatch(/a-it +imported/)
    expect((await weft(['terraform', json, '--take-over'])).out).toMatch(/a-it +taken over/)
  }, 180_000)

  test('resources that have one id are told apart by their addresses, and each is managed', async () => {
    const FILE = { group: 'local.tf.weft.dev', kind: 'File' }
    const contents = ['one.txt', 'two.txt'].map((name) => join(things, name))
    for (const path of contents) writeFileSync(path, 'alike')
    share()
    const local = (name: string, filename: string): object => ({
      mode: 'managed',
      type: 'local_file',
      name,
      provider: 'provider["registry.opentofu.org/hashicorp/local"]',
      instances: [
        {
          schema_version: 0,
          // Named after what is in it.
          attributes: {
            id: 'b79634d7c3ad9b2cb0f556c029ea8ef8c89c1abc',
            filename,
            content: 'alike',
            file_permission: '0777',
            directory_permission: '0777',
          },
        },
      ],
    })
    const both = ['one', 'two'].map((name, i) => local(name, contents[i] ?? ''))
    const path = file('alike.tfstate', state(both, 'alike'))
    const done = await weft(['terraform', path])
    expect(done.err).toContain('local_file.one, local_file.two: others in the state have the same id')
    expect((await weft(['terraform', path, '--only', 'local_file.one'])).out, 'the same name').toMatch(/one +there already/)
    const taken = await weft(['terraform', path, '--take-over', '--accept-changes'])
    for (const name of ['one', 'two']) {
      expect(taken.out).toMatch(new RegExp(`local_file\\.${name} +File +${name} +taken over`))
      const made = await observed(FILE, name)
      expect(made.metadata.annotations?.['crossplane.io/external-name']).toBe(`local_file.${name}`)
    }
    await eventually(async () => expect((await client.get(FILE, { name: 'two' })).metadata.finalizers, 'it is owned').toHaveLength(1))
    await client.delete(FILE, { name: 'two' })
    await eventually(() => expect(contents.map((each) => existsSync(each))).toEqual([true, false]))
  }, 180_000)

  test('T149: what spec.importIdentity identifies is looked at, or taken over, and never made', async () => {
    const FRAMEWORK = { group: 'weftframework.test.weft.dev.tf.weft.dev', kind: 'Thing' }
    const { id } = await applied('framework', { name: 'identified' })
    const before = operations()
    await client.apply({
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'ManagedResourceActivationPolicy',
      metadata: { name: 'identified' },
      spec: { activate: [`*.${FRAMEWORK.group}`] },
    })
    const thing = (name: string, more: object = {}): KubeObject => ({
      apiVersion: `${FRAMEWORK.group}/v1alpha1`,
      kind: FRAMEWORK.kind,
      metadata: { name },
      spec: { forProvider: { name: 'identified' }, importIdentity: { id }, ...more },
    })
    await eventually(() => client.create(thing('onlooker', { managementPolicies: ['Observe'] })))
    expect((await observed(FRAMEWORK, 'onlooker'))['status']).toMatchObject({ atProvider: { id, name: 'identified' } })
    const [plan] = (await askPlans(client.transport, { resources: [thing('owner')] })) ?? []
    expect(plan, 'a plan knows that it is there').toMatchObject({ action: 'none' })
    await client.create(thing('owner'))
    const owner = await observed(FRAMEWORK, 'owner')
    expect(owner.metadata.annotations?.['crossplane.io/external-name']).toBe(JSON.stringify({ id }))
    await client.create(thing('thief'))
    await eventually(async () =>
      expect(findCondition(conditionsOf(await client.get(FRAMEWORK, { name: 'thief' })), 'Synced')?.reason).toBe('ExternalNameTaken'),
    )
    expect(operations()).toEqual(before)
    await client.delete(FRAMEWORK, { name: 'thief' })
    await client.delete(FRAMEWORK, { name: 'owner' })
    await eventually(() => expect(operations().at(-1)).toMatch(/^delete identified/))
  }, 180_000)

  test('what is no state is refused in words, and so are objects that are something else', async () => {
    const thing = await applied('sdk', { name: 'twice' })
    const mine = file('mine.tfstate', state([resource('sdk', 'twice', [thing.instance])], 'a'))
    const theirs = file('theirs.tfstate', state([resource('sdk', 'twice', [thing.instance])], 'b'))
    expect((await weft(['terraform', mine])).out).toMatch(/twice +imported/)
    const other = await weft(['terraform', theirs])
    expect(other.out).toMatch(/twice +left as it is: Thing twice was imported from another state; give --prefix/)
    expect(other.code).toBe(1)
    await expect(weft(['terraform', file('no.json', 'no')])).rejects.toThrow(/is not JSON/)
    await expect(weft(['terraform', file('v3.json', { version: 3 })])).rejects.toThrow(/version 3/)
    await expect(weft(['terraform', join(home, 'missing')])).rejects.toThrow(/cannot be read/)
  }, 180_000)

  test('an import that was interrupted goes on where it was', async () => {
    const thing = await applied('sdk', { name: 'cut' })
    const path = file('cut.tfstate', state([resource('sdk', 'cut', [thing.instance])], 'cut'))
    await client.create({
      apiVersion: `${SDK}/v1alpha1`,
      kind: 'Thing',
      metadata: {
        name: 'cut',
        annotations: {
          'terraform.weft.dev/imported-from': 'weftsdk_thing.cut',
          'terraform.weft.dev/importing': 'true',
          'crossplane.io/paused': 'true',
          'crossplane.io/external-name': thing.id,
        },
      },
      spec: { managementPolicies: ['Observe'], forProvider: { name: 'cut' } },
    })
    expect((await weft(['terraform', path, '--take-over'])).out).toMatch(/its import was interrupted/)
    expect((await weft(['terraform', path])).out).toMatch(/cut +imported/)
    expect((await observed(THING, 'cut')).metadata.annotations).not.toHaveProperty('crossplane.io/paused')
  }, 180_000)

  describe.skipIf(withoutTofu !== undefined)('with a state that OpenTofu wrote', () => {
    /** Applies a configuration with the real program. */
    async function tofuApply(name: string, source: string, program: string, configuration: object): Promise<string> {
      const work = join(home, name)
      mkdirSync(work, { recursive: true })
      writeFileSync(join(work, 'tofurc'), `provider_installation {\n  dev_overrides { "${source}" = "${dirname(program)}" }\n}\n`)
      writeFileSync(join(work, 'main.tf.json'), JSON.stringify(configuration))
      await promisify(execFile)((tofu as { tofu: string }).tofu, ['apply', '-auto-approve', '-no-color'], {
        cwd: work,
        env: { PATH: process.env['PATH'], HOME: work, TF_CLI_CONFIG_FILE: join(work, 'tofurc') },
      })
      share()
      return join(work, 'terraform.tfstate')
    }

    test('everything is taken over, without a change', async () => {
      const path = await tofuApply('tofu', 'weft.dev/test/weftsdk', providers.sdk, {
        terraform: { required_providers: { weftsdk: { source: 'weft.dev/test/weftsdk' } } },
        provider: { weftsdk: { directory: things } },
        resource: {
          weftsdk_thing: {
            counted: { count: 2, name: 'counted-${count.index}', rule: [{ port: 80 }, { port: 443, proto: 'udp' }] },
            keyed: { for_each: { north: 1, south: 2 }, name: 'keyed-${each.key}', size: '${each.value}', members: ['b', 'a'] },
            secret: { name: 'secret', password: PASSWORD, text: 'x', timeouts: { create: '5m' } },
          },
        },
      })
      const before = operations()
      const done = await weft(['terraform', path, '--prefix', 'tofu'])
      expect(done.code, done.out + done.err).toBe(0)
      const names = ['tofu-counted-0', 'tofu-counted-1', 'tofu-keyed-north', 'tofu-keyed-south', 'tofu-secret']
      for (const name of names) await observed(THING, name)
      const taken = await weft(['terraform', path, '--prefix', 'tofu', '--take-over'])
      expect(taken.code, taken.out + taken.err).toBe(0)
      for (const name of names) await observed(THING, name)
      expect(operations()).toEqual(before)
      const raw = readFileSync(path, 'utf8')
      expect(raw).toContain(PASSWORD)
      expect(taken.out + taken.err + done.out + done.err).not.toContain(PASSWORD)
    }, 180_000)

    test('the guide leads from a state to managed resources', async () => {
      const note = join(home, 'note.txt')
      const { commands, yaml } = await readGuide('terraform-import')
      expect(yaml).toEqual([])
      const path = await tofuApply('guide', 'hashicorp/local', providers.local, {
        resource: { local_file: { note: { filename: note, content: 'made by tofu' } } },
      })
      chmodSync(note, 0o666)
      const typed = commands.filter((line) => line.startsWith('weft import terraform terraform.tfstate'))
      expect(typed.length).toBe(3)
      for (const line of typed) {
        const words = wordsOf(line).slice(1)
        const { code, out, err } = await weft(words.map((word) => (word === 'terraform.tfstate' ? path : word)))
        expect(code, `${line}: ${out}${err}`).toBe(0)
      }
      const FILE = { group: 'local.tf.weft.dev', kind: 'File' }
      await observed(FILE, 'note')
      // It is managed once its controller has seen it: until then nothing would hold on to it.
      await eventually(async () => expect((await client.get(FILE, { name: 'note' })).metadata.finalizers ?? []).not.toEqual([]))
      await client.delete(FILE, { name: 'note' })
      await eventually(() => expect(readdirSync(home)).not.toContain('note.txt'))
    }, 180_000)
  })
})
