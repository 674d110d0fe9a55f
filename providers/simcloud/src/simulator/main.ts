import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'
import { loadKinds } from '../catalogue/kinds.ts'
import { accountOf } from './accounts/account.ts'
import { fixedDelays, realisticDelays } from './resources/delays.ts'
import { startSimulator } from './simulator.ts'

interface Flags {
  readonly host: string
  readonly port: number
  readonly state: string
  readonly delayMs?: number
  readonly speed: number
  readonly provider: readonly string[]
  readonly account: readonly { cloud: string; account: string; token: string }[]
}

/** Runs until SIGTERM or SIGINT. The admin token may be given in SIMCLOUD_ADMIN_TOKEN; arguments show in process lists. */
export async function main(args: readonly string[]): Promise<void> {
  const flags = parseFlags(args)
  const adminToken = process.env['SIMCLOUD_ADMIN_TOKEN']
  const simulator = await startSimulator({
    catalogue: loadKinds(flags.provider),
    stateFile: flags.state,
    host: flags.host,
    port: flags.port,
    delays: flags.delayMs === undefined ? realisticDelays(flags.speed, Math.random) : fixedDelays(flags.delayMs),
    ...(adminToken !== undefined && adminToken !== '' && { adminToken }),
    onFatal: (error) => fail(error),
  })
  for (const { cloud, account, token } of flags.account) {
    const quotas = simulator.store.account(cloud, account)?.quotas ?? {}
    simulator.store.putAccount(accountOf(cloud, account, { tokens: [{ token, role: 'editor' }], quotas }))
  }
  await simulator.store.durable()
  process.stdout.write(`simcloud is ready at ${simulator.url}\n`)
  const stop = (): void => {
    simulator.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

function fail(error: unknown): never {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

const bundled = (['gcp', 'azure', 'aws'] as const).map((cloud) => fileURLToPath(new URL(`../../../${cloud}`, import.meta.url)))

function parseFlags(args: readonly string[]): Flags {
  return new Command('simcloud')
    .description('A simulated cloud: GCP, Azure and AWS as far as the providers of Weft need them. Nothing real is created.')
    .requiredOption('--state <file>', 'where everything is kept; made if it does not exist')
    .option('--host <address>', 'address to listen at', '127.0.0.1')
    .option('--port <number>', 'port to listen at; 0 = any free one', wholeNumber, 0)
    .option('--delay-ms <number>', 'every operation takes this long; 0 = none takes any time', wholeNumber)
    .option('--speed <factor>', 'without --delay-ms: how many times faster than in a real cloud operations are', positive, 20)
    .option('--provider <directory...>', 'provider packages whose kinds are simulated', bundled)
    .option('--account <cloud/account=token>', 'an account to have from the start (repeatable)', collectAccount, [])
    .parse(args, { from: 'user' })
    .opts<Flags>()
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function positive(text: string): number {
  const value = Number(text)
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number above 0.')
  return value
}

function collectAccount(text: string, earlier: Flags['account']): Flags['account'] {
  const [, cloud, account, token] = /^([a-z0-9-]+)\/([A-Za-z0-9._-]+)=([\x21-\x7e]{8,})$/.exec(text) ?? []
  if (cloud === undefined || account === undefined || token === undefined)
    throw new InvalidArgumentError('It must be cloud/account=token, with a token of at least 8 characters.')
  return [...earlier, { cloud, account, token }]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2)).catch(fail)
