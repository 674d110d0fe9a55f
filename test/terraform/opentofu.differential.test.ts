import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import {
  blockType,
  decodeMsgpack,
  encodeJson,
  isMap,
  isWhollyKnown,
  type ResourceState,
  type Value,
} from '../../packages/terraform/src/index.ts'
import { ensureOpenTofu } from '../opentofu/build.mjs'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'
import { configOfText, openProvider } from './configured-provider.ts'
import { type RandomThing, randomThings } from './random-things.ts'

const run = promisify(execFile)
const built = await ensureTerraformProviders()
const tofu = await ensureOpenTofu()
const skipped = 'skipped' in built ? built.skipped : 'skipped' in tofu ? tofu.skipped : undefined
if (skipped !== undefined) console.warn(`the comparison with OpenTofu is skipped: ${skipped}`)

const COUNT = Number(process.env['WEFT_TERRAFORM_THINGS'] ?? 150)
const SEED = Number(process.env['WEFT_DIFFERENTIAL_SEED'] ?? 7)
/** What a provider is sent and answers, that must be the same. */
const SEEN = [
  'PlanResourceChange_Request_Config',
  'PlanResourceChange_Request_PriorState',
  'PlanResourceChange_Request_ProposedNewState',
  'PlanResourceChange_Response_PlannedState',
  'ApplyResourceChange_Request_Config',
  'ApplyResourceChange_Request_PriorState',
  'ApplyResourceChange_Request_PlannedState',
  'ApplyResourceChange_Response_NewState',
  'ReadResource_Response_NewState',
]

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const scratch = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'weft-tofu-'))
  ends.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}

type Step = 'create' | 'change' | 'destroy'
/** By sort of value and name of the thing: all different values of it, as text. */
type Record = Map<string, Set<string>>

describe.skipIf(skipped !== undefined)('T202: what a provider is sent', () => {
  const providers = built as TerraformProviders

  test.each(['sdk', 'framework'] as const)(
    'by us is what OpenTofu sends, for random configurations of %s',
    async (kind) => {
      const things = randomThings(kind, COUNT, SEED)
      const theirs = await withOpenTofu(kind, things)
      const ours = await withUs(kind, things)
      for (const step of ['create', 'change', 'destroy'] as const) {
        const [a, b] = [theirs[step], ours[step]]
        expect(a.size, `OpenTofu recorded ${step}`).toBeGreaterThan(COUNT)
        const different = [...new Set([...a.keys(), ...b.keys()])]
          .filter((key) => isCompared(step, key))
          .filter((key) => textOf(a.get(key)) !== textOf(b.get(key)))
        expect(
          different.slice(0, 3).map((key) => ({ step, key, theirs: textOf(a.get(key)), ours: textOf(b.get(key)) })),
          `${different.length} of ${a.size} differ`,
        ).toEqual([])
      }
    },
    600_000,
  )

  const textOf = (values: Set<string> | undefined): string => [...(values ?? [])].sort().join('\n')
  /**
   * Before it destroys, OpenTofu plans everything once more as it is configured, which a deletion here has no use for. The deletion that makes way
   * for a replacement it does not plan; we do, so that a provider can refuse it.
   */
  const isCompared = (step: Step, key: string): boolean =>
    step === 'create' || !key.startsWith('Plan') || (step === 'change' && !key.endsWith(' of nothing'))
  const typeOf = (kind: 'sdk' | 'framework'): string => `weft${kind}_thing`

  async function withOpenTofu(kind: 'sdk' | 'framework', things: readonly RandomThing[]): Promise<{ [step in Step]: Record }> {
    const [work, directory] = [scratch(), scratch()]
    const program = providers[kind]
    const source = `weft.dev/test/weft${kind}`
    // Only what the directory holds under its own name is taken.
    writeFileSync(join(work, 'tofurc'), `provider_installation {\n  dev_overrides { "${source}" = "${dirname(program)}" }\n}\n`)
    const files = (of: 'first' | 'second'): string => {
      const resources = things.map((thing) => `${JSON.stringify(thing.name)}:${thing[of]}`).join(',')
      return `{"terraform":{"required_providers":{"weft${kind}":{"source":"${source}"}}},"provider":{"weft${kind}":{"directory":${JSON.stringify(directory)}}},"resource":{"${typeOf(kind)}":{${resources}}}}`
    }
    const { schema } = await openedSchema(kind)
    const records = {} as { [step in Step]: Record }
    for (const step of ['create', 'change', 'destroy'] as const) {
      const data = join(work, step)
      mkdirSync(data)
      writeFileSync(join(work, 'main.tf.json'), files(step === 'create' ? 'first' : 'second'))
      const env = { PATH: process.env['PATH'], HOME: work, TF_CLI_CONFIG_FILE: join(work, 'tofurc'), TF_LOG_SDK_PROTO_DATA_DIR: data }
      // One at a time: what is recorded is told apart by its time, in milliseconds.
      const command = step === 'destroy' ? 'destroy' : 'apply'
      await run((tofu as { tofu: string }).tofu, [command, '-auto-approve', '-no-color', '-parallelism=1'], {
        cwd: work,
        env,
        maxBuffer: 256 * 1024 * 1024,
      }).catch((error: Error & { stderr?: string; stdout?: string }) => {
        throw new Error(`${error.message}\n${error.stderr?.slice(0, 4000) ?? ''}`)
      })
      records[step] = recordOf(data, blockType(schema.block))
    }
    return records
  }

  async function withUs(kind: 'sdk' | 'framework', things: readonly RandomThing[]): Promise<{ [step in Step]: Record }> {
    const records = {} as { [step in Step]: Record }
    const made = new Map<string, ResourceState>()
    const kept = scratch()
    for (const step of ['create', 'change', 'destroy'] as const) {
      const data = scratch()
      const provider = await openProvider(providers[kind], () => ({ directory: kept }), { TF_LOG_SDK_PROTO_DATA_DIR: data })
      ends.push(() => provider.close())
      const driver = provider.driver(typeOf(kind))
      for (const thing of things) {
        const before = made.get(thing.name)
        const prior = before === undefined ? undefined : await driver.read(await driver.restore(driver.store(before)))
        if (step === 'destroy') {
          if (prior === undefined) throw new Error(`${thing.name} is gone`)
          expect(await driver.apply(await driver.planDelete(prior))).toMatchObject({ state: undefined, errors: [] })
          continue
        }
        const config = configOfText(driver.schema.block, step === 'create' ? thing.first : thing.second)
        await driver.validate(config)
        const plan = await driver.plan(prior, config)
        if (plan.action === 'none') continue
        if (plan.action === 'replace' && prior !== undefined) await driver.apply(await driver.planDelete(prior))
        const { state, errors } = await driver.apply(plan)
        expect(errors).toEqual([])
        if (state !== undefined) made.set(thing.name, state)
      }
      await provider.process.shutdown()
      records[step] = recordOf(data, blockType(driver.schema.block))
    }
    return records
  }

  async function openedSchema(kind: 'sdk' | 'framework') {
    const provider = await openProvider(providers[kind])
    ends.push(() => provider.close())
    const schema = provider.schema.resources.get(typeOf(kind))
    if (schema === undefined) throw new Error('there is no such type')
    return { schema }
  }

  function recordOf(data: string, type: ReturnType<typeof blockType>): Record {
    const record: Record = new Map()
    for (const file of readdirSync(data)) {
      const sort = SEEN.find((part) => basename(file).includes(part))
      if (sort === undefined) continue
      const value = decodeMsgpack(type, readFileSync(join(data, file)))
      const name = isMap(value) ? String(value.get('name')) : 'nothing'
      const key = `${sort} of ${name}`
      const texts = record.get(key) ?? new Set()
      record.set(key, texts.add(readable(type, value)))
    }
    return record
  }

  /** Ids are random, sets have no order, and what is unknown has no text of its own. */
  function readable(type: ReturnType<typeof blockType>, value: Value): string {
    const known = isWhollyKnown(value) ? value : marked(value)
    return sortedSets(type, encodeJson(type, known)).replaceAll(/(r\d+x?)-[0-9a-f]{12}/g, '$1-id')
  }

  const marked = (value: Value): Value => {
    if (value === null || isWhollyKnown(value)) return value
    if (Array.isArray(value)) return value.map((part: Value) => marked(part))
    if (isMap(value)) return new Map([...value].map(([name, part]) => [name, marked(part)]))
    return '(unknown)'
  }

  /** Elements of sets in one order, attributes too. */
  function sortedSets(type: ReturnType<typeof blockType>, json: string): string {
    const walk = (of: ReturnType<typeof blockType>, part: unknown): unknown => {
      if (Array.isArray(part)) {
        const parts = part.map((element) => walk('element' in of ? of.element : { kind: 'dynamic' }, element))
        return of.kind === 'set' ? parts.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : parts
      }
      if (typeof part !== 'object' || part === null) return part
      return Object.fromEntries(
        Object.entries(part)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, member]) => [
            name,
            walk(of.kind === 'object' ? (of.attributes.get(name) ?? of) : 'element' in of ? of.element : of, member),
          ]),
      )
    }
    // Numbers as text, so that none loses digits here.
    return JSON.stringify(walk(type, JSON.parse(json.replaceAll(/([[:,])(-?\d+(?:\.\d+)?)(?=[,\]}])/g, '$1"$2"'))))
  }
})
