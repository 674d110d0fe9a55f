import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { isMap, pathText, type ResourceDriver, type ResourceState, type Value } from '../../packages/terraform/src/index.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'
import { type ConfiguredProvider, configOf, openProvider } from './configured-provider.ts'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`tests of Terraform providers are skipped: ${skipped}`)

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

interface Life {
  readonly provider: ConfiguredProvider
  readonly driver: ResourceDriver
  make(config: object): Promise<ResourceState>
  plan(state: ResourceState | undefined, config: object): ReturnType<ResourceDriver['plan']>
  text(state: ResourceState | undefined, name: string): string
}

async function open(executable: string, type: string): Promise<Life> {
  const provider = await openProvider(executable)
  ends.push(() => provider.close())
  const driver = provider.driver(type)
  const plan: Life['plan'] = (state, config) => driver.plan(state, configOf(driver.schema.block, config))
  return {
    provider,
    driver,
    plan,
    async make(config) {
      const { state, errors } = await driver.apply(await plan(undefined, config))
      expect(errors).toEqual([])
      if (state === undefined) throw new Error('nothing was made')
      return state
    },
    text: (state, name) => String(memberOf(state?.value ?? null, name)),
  }
}

const memberOf = (value: Value, name: string): Value | undefined => (isMap(value) ? value.get(name) : undefined)

const rich = { size: 3, note: 'n', tags: { b: '2', a: '1' }, members: ['z', 'a', 'z'] }
const subjects: { name: keyof TerraformProviders; type: string; config: object; change: object; changed: string[]; replacing: object }[] = [
  {
    name: 'sdk',
    type: 'weftsdk_thing',
    config: {
      ...rich,
      name: 'a',
      big: 7227701560655103,
      ratio: 1.1,
      rule: [{ port: 80 }, { port: 443, proto: 'udp', comment: 'c' }],
      network: [{ cidr: '10.0.0.0/8' }],
      items: ['x', 'y'],
    },
    change: { rule: [{ port: 80 }, { port: 8080 }], size: 4 },
    changed: ['rule', 'size'],
    replacing: { name: 'b' },
  },
  { name: 'mux', type: 'weftsdk_thing', config: { ...rich, name: 'a' }, change: { size: 4 }, changed: ['size'], replacing: { name: 'b' } },
  {
    name: 'framework',
    type: 'weftframework_thing',
    config: {
      ...rich,
      members: ['z', 'a'],
      name: 'a',
      number: 1.1,
      anything: { type: ['list', 'number'], value: [1, 2] },
      one: { label: 'l' },
      many: [{ label: 'm', level: 1 }, { mark: 'given' }],
      any: [{ label: 'b' }, { label: 'a', level: 2 }],
      by: { k: { level: 3 } },
      block: [{ label: 'in a block' }],
      password: 's3cret',
      password_version: 1,
    },
    change: { number: 2, one: { label: 'other' } },
    changed: ['number', 'one.label'],
    replacing: { name: 'b' },
  },
]

describe.skipIf(skipped !== undefined)('a resource', () => {
  const providers = built as TerraformProviders

  test.each(subjects)('of $type in $name lives as it should', async ({ name, type, config, change, changed, replacing }) => {
    const { provider, driver, make, plan } = await open(providers[name], type)
    const created = await plan(undefined, config)
    expect(created).toMatchObject({ action: 'create', causes: [] })

    const made = await make(config)
    const seen = await driver.read(made)
    const again = seen === undefined ? undefined : await driver.read(seen)
    expect(seen !== undefined && again !== undefined && driver.equal(again, seen), 'reading it twice changes nothing').toBe(true)
    expect(await plan(seen, config), 'T89: nothing is left to do').toMatchObject({ action: 'none', changes: [] })

    const kept = await driver.restore(driver.store(made))
    expect(driver.equal(kept, made), 'T103: what was stored comes back').toBe(true)

    const update = await plan(seen, { ...config, ...change })
    expect(update.action).toBe('update')
    expect(update.changes.map(pathText).sort()).toEqual(expect.arrayContaining(changed) as string[])
    const { state: updated, errors } = await driver.apply(update)
    expect(errors).toEqual([])
    expect(await plan(updated, { ...config, ...change })).toMatchObject({ action: 'none' })

    const replace = await plan(updated, { ...config, ...replacing })
    expect(replace).toMatchObject({ action: 'replace', causes: [[{ type: 'attribute', name: 'name' }]] })

    if (updated === undefined) throw new Error('nothing is there')
    expect(await driver.apply(await driver.planDelete(updated))).toMatchObject({ state: undefined, errors: [] })
    expect(await driver.read(updated), 'T99: it is gone').toBeUndefined()
    const { state: replaced } = await driver.apply(replace)
    expect(await provider.things()).toEqual(['b'])
    if (replaced === undefined) throw new Error('nothing is there')
    await driver.apply(await driver.planDelete(replaced))
    expect(await provider.operations()).toEqual(['create a', 'update a', 'delete a', 'create b', 'delete b'])
  })

  test('T101: is imported by its id, and nothing is left to do but for what cannot be read', async () => {
    const { driver, make, plan, text } = await open(providers.sdk, 'weftsdk_thing')
    const made = await make({ name: 'a', size: 2, password: 's3cret' })
    const imported = await driver.import({ id: text(made, 'id') })
    expect(await plan(imported, { name: 'a', size: 2 })).toMatchObject({ action: 'none' })
    expect((await plan(imported, { name: 'a', size: 2, password: 's3cret' })).changes.map(pathText)).toEqual(['password'])
    expect(await driver.import({ id: 'no-such-thing' }), 'an id that nothing has').toBeUndefined()
  })

  test('T101, T56: is imported by its identity', async () => {
    const { driver, make, plan, text } = await open(providers.framework, 'weftframework_thing')
    const made = await make({ name: 'a' })
    if (made.identity === undefined) throw new Error('it has no identity')
    const imported = await driver.import({ identity: made.identity })
    expect(text(imported, 'id')).toBe(text(made, 'id'))
    expect(Buffer.from(imported?.identity ?? []).toString('hex')).toBe(Buffer.from(made.identity).toString('hex'))
    expect(await plan(imported, { name: 'a' })).toMatchObject({ action: 'none' })
  })

  test('T170: what a provider keeps for itself is kept', async () => {
    const { driver, make } = await open(providers.framework, 'weftframework_thing')
    const made = await make({ name: 'a' })
    expect(made.private.length).toBeGreaterThan(0)
    await expect(driver.read({ ...made, private: new Uint8Array() })).rejects.toThrow('private state was lost')
  })

  test('drift shows in the next plan', async () => {
    const { provider, driver, make, plan } = await open(providers.sdk, 'weftsdk_thing')
    const made = await make({ name: 'a', size: 2 })
    const [file = ''] = (await import('node:fs')).readdirSync(provider.directory).filter((name) => name.endsWith('.json'))
    const path = join(provider.directory, file)
    await writeFile(path, (await readFile(path, 'utf8')).replace('"size":2', '"size":9'))
    const seen = await driver.read(made)
    expect((await plan(seen, { name: 'a', size: 2 })).changes.map(pathText)).toEqual(['size'])
    await rm(path)
    expect(await driver.read(made), 'gone behind our back').toBeUndefined()
  })

  test.each(['sdk', 'framework'] as const)('T93: what was made in part is known, of %s', async (name) => {
    const { driver, provider, plan } = await open(providers[name], `weft${name}_thing`)
    const { state, errors } = await driver.apply(await plan(undefined, { name: 'half', mode: 'partial' }))
    expect(errors).toHaveLength(1)
    expect(state).toBeDefined()
    expect(await provider.things()).toEqual(['half'])
  })

  test('T93: a create that certainly failed made nothing', async () => {
    const { driver, provider, plan } = await open(providers.sdk, 'weftsdk_thing')
    const { state, errors } = await driver.apply(await plan(undefined, { name: 'a', mode: 'fail' }))
    expect({ state, errors: errors.length, things: await provider.things() }).toEqual({ state: undefined, errors: 1, things: [] })
  })

  test('T96: a failed update tells lies, and reading the state of before tells the truth', async () => {
    const { driver, make, plan, text } = await open(providers.sdk, 'weftsdk_thing')
    const made = await make({ name: 'a', size: 2, mode: 'refuse-update' })
    const { state, errors } = await driver.apply(await plan(made, { name: 'a', size: 99, mode: 'refuse-update' }))
    expect(errors).toHaveLength(1)
    expect(text(state, 'size'), 'what the provider says').toBe('99')
    expect(text(await driver.read(made), 'size'), 'what there is').toBe('2')
  })

  test('T55: what is only written is in no state, and takes effect', async () => {
    const { driver, make, provider, text } = await open(providers.framework, 'weftframework_thing')
    const made = await make({ name: 'a', password: 's3cret', password_version: 1 })
    expect(text(made, 'password')).toBe('null')
    expect(driver.store(made).json).not.toContain('s3cret')
    const [file = ''] = (await import('node:fs')).readdirSync(provider.directory).filter((name) => name.endsWith('.json'))
    expect(await readFile(join(provider.directory, file), 'utf8')).toContain('s3cret')
  })

  test.each(['sdk', 'framework'] as const)(
    'T103: a state of an older schema is brought up to date by %s, a newer one refused',
    async (name) => {
      const { driver, make, plan, text } = await open(providers[name], `weft${name}_thing`)
      const made = await make({ name: 'a' })
      const json = `{"id":${JSON.stringify(text(made, 'id'))},"title":"a"}`
      const old = { ...driver.store(made), version: driver.schema.version - 1, json }
      const restored = await driver.restore(old)
      expect(text(restored, 'name')).toBe('a')
      expect((await plan(await driver.read(restored), { name: 'a' })).action).toBe('none')
      await expect(driver.restore({ ...old, version: driver.schema.version + 1 })).rejects.toThrow('newer version of the provider')
    },
  )

  test('says what is wrong with a configuration, and where', async () => {
    const { driver } = await open(providers.sdk, 'weftsdk_thing')
    await expect(driver.validate(configOf(driver.schema.block, {}))).rejects.toMatchObject({
      diagnostics: [{ severity: 'error', path: [{ type: 'attribute', name: 'name' }] }],
    })
  })

  test.each([
    { name: 'time', type: 'time_static', config: {} },
    { name: 'time', type: 'time_offset', config: { offset_days: 7 } },
    { name: 'time', type: 'time_rotating', config: { rotation_days: 30 } },
    { name: 'time', type: 'time_sleep', config: { create_duration: '1ms' } },
  ] as const)('$type of the real provider $name settles', async ({ name, type, config }) => {
    const provider = await openProvider(providers[name], () => ({}))
    ends.push(() => provider.close())
    const driver = provider.driver(type)
    const wanted = configOf(driver.schema.block, config)
    const { state, errors } = await driver.apply(await driver.plan(undefined, wanted))
    expect(errors).toEqual([])
    if (state === undefined) throw new Error('nothing was made')
    const seen = await driver.read(state)
    expect((await driver.plan(seen, wanted)).action).toBe('none')
    expect(await driver.apply(await driver.planDelete(state))).toMatchObject({ state: undefined, errors: [] })
  })

  test.each(['local_file', 'local_sensitive_file'])('%s of the real provider local is written, repaired and removed', async (type) => {
    const provider = await openProvider(providers.local, () => ({}))
    ends.push(() => provider.close())
    const driver = provider.driver(type)
    const filename = join(provider.directory, 'hello')
    const wanted = configOf(driver.schema.block, { filename, content: 'hello' })
    const { state } = await driver.apply(await driver.plan(undefined, wanted))
    if (state === undefined) throw new Error('nothing was made')
    expect(await readFile(filename, 'utf8')).toBe('hello')
    expect((await driver.plan(await driver.read(state), wanted)).action).toBe('none')
    await writeFile(filename, 'drift')
    expect(await driver.read(state), 'another file is not this one').toBeUndefined()
    await driver.apply(await driver.plan(undefined, wanted))
    expect(await readFile(filename, 'utf8')).toBe('hello')
    await driver.apply(await driver.planDelete(state))
    await expect(readFile(filename)).rejects.toThrow('ENOENT')
  })
})
