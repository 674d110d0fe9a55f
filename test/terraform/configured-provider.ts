import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Block,
  blockType,
  decodeJson,
  emptyBlock,
  encodeMsgpack,
  errorsOf,
  isArray,
  isMap,
  type ProviderProcess,
  type ProviderSchema,
  ResourceDriver,
  startProvider,
  type Value,
} from '../../packages/terraform/src/index.ts'

/** A provider that runs and manages the things of a directory. */
export interface ConfiguredProvider {
  readonly process: ProviderProcess
  readonly schema: ProviderSchema
  readonly directory: string
  readonly log: string[]
  driver(type: string): ResourceDriver
  /** What was done, in order: `create a`. */
  operations(): Promise<string[]>
  /** Names of the things that there are, without the random end. */
  things(): Promise<string[]>
  close(): Promise<void>
}

export async function openProvider(
  executable: string,
  config: (directory: string) => object = (directory) => ({ directory }),
  env: Record<string, string> = {},
): Promise<ConfiguredProvider> {
  const directory = await mkdtemp(join(tmpdir(), 'weft-things-'))
  const log: string[] = []
  const process = await startProvider({ executable, env, log: { write: (bytes) => log.push(Buffer.from(bytes).toString()) } })
  const { schema } = await process.client.schema()
  const { block } = schema.provider
  const errors = errorsOf(await process.client.configure(encodeMsgpack(blockType(block), configOf(block, config(directory)))))
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  return {
    process,
    schema,
    directory,
    log,
    driver: (type) => new ResourceDriver(process.client, schema, type),
    operations: async () =>
      (await readFile(join(directory, 'operations.log'), 'utf8').catch(() => ''))
        .trim()
        .split('\n')
        .map((line) => line.replace(/-[0-9a-f]+$/, '')),
    things: async () =>
      (await readdir(directory))
        .filter((name) => name.endsWith('.json'))
        .map((name) => name.replace(/-[0-9a-f]+\.json$/, ''))
        .sort(),
    async close() {
      await process.shutdown()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** A configuration from JSON: what is left out is null, and blocks that are left out are none. */
export const configOf = (block: Block, json: object): Value => configOfText(block, JSON.stringify(json))

export function configOfText(block: Block, json: string): Value {
  return complete(block, decodeJson(blockType(block), json))
}

function complete(block: Block, value: Value): Value {
  if (!isMap(value)) return value
  const whole = new Map(value)
  for (const [name, empty] of emptyBlock(block)) if (block.blocks.has(name) && whole.get(name) === null) whole.set(name, empty)
  for (const [name, nested] of block.blocks) {
    const given = whole.get(name) ?? null
    if (isArray(given))
      whole.set(
        name,
        given.map((element) => complete(nested.block, element)),
      )
    else if (isMap(given) && nested.nesting !== 'map') whole.set(name, complete(nested.block, given))
  }
  return whole
}
