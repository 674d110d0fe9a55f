import { BUNDLED_PROVIDERS, type ControlPlane, DEFAULT_PROVIDERS, type Log, startControlPlane } from '@weft/controlplane'
import type { ConsoleServer } from '@weft/console'
import { Command } from 'commander'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, relative } from 'node:path'
import { removeConsoleFile, writeConsoleFile } from '../console/console-file.ts'
import { parsePort } from '../parse-port.ts'
import { type TellWhy, withProgress } from '../progress.ts'
import { CommandFailure, style } from '../report.ts'
import type { Run } from '../run.ts'
import { untilSignal } from '../until-signal.ts'
import { VERSION } from '../version.ts'
import { duration, durationOption, oneOf, wholeNumber } from './option-values.ts'
import { explainListening } from './up/explain-listening.ts'
import { releaseMemoryLater } from './up/release-memory.ts'

interface UpOptions {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly inMemory?: boolean
  readonly takeOver?: boolean
  readonly apiOnly?: boolean
  readonly serve?: readonly string[]
  readonly kubeconfig?: string
  readonly tokenFile?: string
  readonly auditLog?: string
  readonly certHost?: readonly string[]
  readonly schedulerJitterMs?: number
  readonly maxPollInterval?: number
  readonly eventTtl: number
  readonly activation?: readonly string[]
  readonly defaultActivation: boolean
  readonly provider?: readonly string[]
  readonly allowProviderExecutables?: boolean
  readonly insecureRegistry?: readonly string[]
  readonly packageBundle?: readonly string[]
  readonly packageKey?: readonly string[]
  readonly trustedRoot?: string
  readonly packagePath?: readonly string[]
  readonly terraformMirror?: string
  readonly dev?: readonly string[]
  readonly console: boolean
  readonly consolePort?: number
  readonly consoleHost: string
  readonly logLevel: (typeof LOG_LEVELS)[number]
}

const END_MS = 5000
const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

export const upCommand = (run: Run): Command =>
  new Command('up')
    .description('Start the control plane on this machine: one process, no cluster needed.')
    .option('--port <port>', 'port to listen on; 0 picks a free one', parsePort, 6443)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data-dir <dir>', 'directory for all data', '.weft')
    .option('--in-memory', 'keep nothing on disk (for tests); prints the kubeconfig unless --kubeconfig names a file')
    .option('--kubeconfig <file>', "write the administrator's kubeconfig here (default: kubeconfig in the data directory)")
    .option('--api-only', 'serve a Kubernetes API and nothing else: none of Weft’s controllers, kinds, roles or checks, and no web console')
    .option(
      '--serve <versions...>',
      'with --api-only: further Kubernetes kinds to store (apps/v1, batch/v1, v1, …, or all); nothing runs them',
    )
    .option('--take-over', 'take over the data directory of a control plane that is stuck; that one can write nothing from then on')
    .option('--cert-host <names...>', 'further host names and addresses for the serving certificate')
    .option('--token-file <file>', 'static tokens, one per line: token,user,uid,"group1,group2"')
    .option('--audit-log <file>', 'write an audit log (JSON lines, one per request)')
    .option(
      '--provider <names...>',
      `bundled providers to install, of ${BUNDLED_PROVIDERS.join(', ')} (default: ${DEFAULT_PROVIDERS.join(', ')})`,
    )
    .option(
      '--allow-provider-executables',
      'let packages run code with the rights of this process: programs on this machine, function modules',
    )
    .option('--package-bundle <files...>', 'files of `weft package bundle` to install packages from, without their registry')
    .option('--insecure-registry <hosts...>', 'registries (host[:port]) to fetch packages from without TLS')
    .option('--package-key <files...>', 'public keys (PEM): packages must be signed by one of them, and are not read from disk')
    .option('--trusted-root <file>', 'trusted_root.json of Sigstore, by which signers are known that ImageConfigs name by identity')
    .option('--package-path <dirs...>', 'directories that packages may be read from (default: the current one)')
    .option('--terraform-mirror <place>', 'take Terraform providers from this https address or directory instead of their registries')
    .option('--dev <functions...>', 'NAME=FILE.ts: run this file as the Function NAME, and again whenever it changes')
    .option('--activation <patterns...>', 'managed kinds that the default policy activates when it is first created (default: *)')
    .option('--no-default-activation', 'create no default activation policy: kinds stay inactive until one of yours activates them')
    .option('--scheduler-jitter-ms <ms>', 'longest random delay before a class is chosen for a claim (default: 100)', wholeNumber)
    .option(
      '--max-poll-interval <duration>',
      'check external resources that do not change less often, but at least this often (default: as often as others)',
      duration,
    )
    .addOption(
      durationOption('--event-ttl <duration>', 'how long events are kept after they were last written; 0s keeps them forever', '1h'),
    )
    .option(
      '--console-port <port>',
      'port of the web console; 0 picks a free one (default: 6480, or another when that is taken)',
      parsePort,
    )
    .option('--console-host <address>', 'address of the web console; it uses TLS unless that is on this machine', '127.0.0.1')
    .option('--no-console', 'serve no web console')
    .option(
      '--log-level <level>',
      'least severe messages to print: debug (everything controllers do), info, warn or error',
      oneOf(...LOG_LEVELS),
      'info',
    )
    .addHelpText('after', '\nExample:\n  weft up --port 6443 --data-dir .weft\n  KUBECONFIG=.weft/kubeconfig kubectl get namespaces')
    .action((options: UpOptions) => run(() => up(options)))

async function up(options: UpOptions): Promise<number> {
  const begun = performance.now()
  const isNew = options.inMemory !== true && options.apiOnly !== true && !existsSync(options.dataDir)
  if (options.kubeconfig !== undefined) await mustBeReplaceable(options.kubeconfig)
  if (options.console && options.apiOnly !== true) await mustBeFree(options)
  const packageKeys = await Promise.all((options.packageKey ?? []).map((file) => readFile(file, 'utf8')))
  const trustedRoot = options.trustedRoot === undefined ? undefined : await readFile(options.trustedRoot, 'utf8')
  const development =
    options.dev === undefined ? undefined : await (await import('./up/develop-functions.ts')).developFunctions(options.dev)
  const start = (tell: TellWhy): Promise<ControlPlane> =>
    startControlPlane({
      dataDir: options.dataDir,
      inMemory: options.inMemory ?? false,
      takeOver: options.takeOver,
      onLost: () => endSuperseded(options.dataDir),
      release: VERSION,
      apiOnly: options.apiOnly,
      serve: served(options),
      kubeconfigPath: options.kubeconfig,
      host: options.host,
      port: options.port,
      hosts: options.certHost ?? [],
      tokenFile: options.tokenFile,
      auditLog: options.auditLog,
      schedulerJitterMs: options.schedulerJitterMs,
      maxPollIntervalMs: options.maxPollInterval,
      eventTtlMs: options.eventTtl,
      providers: options.provider,
      providerExecutables: options.allowProviderExecutables,
      insecureRegistries: options.insecureRegistry,
      packageBundles: options.packageBundle,
      packageKeys,
      trustedRoot,
      packagePaths: options.packagePath ?? startDirectory(),
      terraformMirror: options.terraformMirror,
      functionModules: development,
      activations: options.defaultActivation ? options.activation : [],
      log: logger(options.logLevel),
      details: options.logLevel === 'debug',
      onStep: tell,
    })
  const plane = await withProgress('starting the control plane', start, { atTerminal: true }).catch((error: unknown) => {
    throw explainListening(error, { ...options, option: 'port' })
  })
  // Whoever reads that it is ready may end it at once.
  const ending = untilSignal()
  announce(plane, Math.round(performance.now() - begun))
  const console = await openConsole(plane, options, packageKeys).catch(async (error: unknown) => {
    await plane.stop()
    throw error
  })
  if (isNew) greet(options)
  const stopWaiting = releaseMemoryLater()
  const signal = await ending
  stopWaiting()
  process.stderr.write(`${signal}: finishing open requests\n`)
  if (console !== undefined && options.inMemory !== true) await removeConsoleFile(options.dataDir)
  await console?.close()
  await plane.stop()
  await development?.close()
  endForCertain()
  return 0
}

/** What is plain needs no label; what needs attention says when it was. */
const logger =
  (least: UpOptions['logLevel']): Log =>
  (level, message) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return
    const label = `${new Date().toISOString().slice(11, 23)} ${level.toUpperCase().padEnd(5)} `
    process.stderr.write(`${level === 'info' ? '' : style(LOG_COLOURS[level], label)}${message}\n`)
  }

const LOG_COLOURS = { debug: 'gray', warn: 'yellow', error: 'red' } as const

/** Before anything else is started: whoever named a port wants that one. */
async function mustBeFree({ consoleHost, consolePort = 0 }: UpOptions): Promise<void> {
  if (consolePort === 0) return
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(consolePort, consoleHost, resolve))
  } catch (error) {
    throw explainListening(error, { host: consoleHost, port: consolePort, option: 'console-port' })
  }
  await new Promise((resolve) => probe.close(resolve))
}

/** Beside Weft's own kinds a Deployment that nothing runs would only mislead. */
function served({ serve = [], apiOnly = false }: UpOptions): readonly string[] {
  if (serve.length > 0 && !apiOnly) throw new CommandFailure('--serve is for --api-only: nothing here runs what such kinds describe.')
  return serve.flatMap((names) => names.split(',')).filter((name) => name !== '')
}

/** At once, as if it were killed: whatever it still says may no longer be so, and the other process has all that it acknowledged. */
function endSuperseded(dataDir: string): void {
  process.stderr.write(
    `${style('red', 'error')}: another process has taken over ${dataDir}: this one stops; no acknowledged write is lost\n`,
  )
  process.exit(1)
}

/** What was left open by mistake must not keep alive a process that was told to end. The timer itself keeps nothing alive. */
function endForCertain(): void {
  setTimeout(() => {
    process.stderr.write('something is still open; stopping anyway\n')
    process.exit(0)
  }, END_MS).unref()
}

/** Whoever names the file of another cluster would lose the way to it. */
async function mustBeReplaceable(path: string): Promise<void> {
  const there = await readFile(path, 'utf8').catch(() => '')
  if (there.trim() === '' || there.includes('current-context: "weft"')) return
  throw new CommandFailure(`${path} is the kubeconfig of something else, and would be overwritten: name another file.`)
}

/** Whoever starts it in a folder with packages means to use them. A service starts in the root of the machine, and means nothing by it. */
function startDirectory(): readonly string[] {
  const directory = process.cwd()
  return dirname(directory) === directory ? [] : [directory]
}

/** The link signs in as the administrator: whoever reads this terminal could read the kubeconfig as well. */
async function openConsole(
  { kubeconfig, pki, reader }: ControlPlane,
  options: UpOptions,
  publicKeys: readonly string[],
): Promise<ConsoleServer | undefined> {
  if (!options.console || options.apiOnly === true) return undefined
  const { isConsoleBuilt, serveEmbeddedConsole } = await import('../console/serve-console.ts')
  if (!isConsoleBuilt()) {
    process.stderr.write(`${style('yellow', 'warn')}: there is no web console in this build; npm run build makes it\n`)
    return undefined
  }
  const console = await serveEmbeddedConsole({
    kubeconfig,
    certificate: { key: pki.serving.key, cert: pki.serving.certificate },
    host: options.consoleHost,
    port: options.consolePort,
    names: options.certHost ?? [],
    reader,
    engines: {
      packages: {
        plainHttp: options.insecureRegistry,
        bundles: options.packageBundle,
        publicKeys,
        paths: { within: options.packagePath ?? startDirectory(), except: [options.dataDir] },
      },
      dataDir: options.inMemory === true ? undefined : options.dataDir,
    },
  })
  if (options.inMemory !== true) await writeConsoleFile(options.dataDir, { address: console.address, key: console.linkKey })
  process.stdout.write(
    `Console:  ${console.address}\nSign in:  ${console.signInLink()}  (once, within 15 minutes${options.inMemory === true ? '' : '; again: weft open'})\n`,
  )
  return console
}

function announce({ address, kubeconfigPath, kubeconfig }: ControlPlane, millis: number): void {
  process.stdout.write(`Weft is ready at ${address} (${millis} ms)\n`)
  if (kubeconfigPath === undefined) process.stdout.write(`${kubeconfig}\n`)
  else process.stdout.write(`Try:  export KUBECONFIG=${relative('', kubeconfigPath)}\n      kubectl get namespaces\n`)
}

/** Whoever starts it for the first time has nothing in it, and may not know what to do with it. */
function greet({ dataDir }: UpOptions): void {
  const there = dataDir === '.weft' ? '' : ` --data-dir ${dataDir}`
  process.stdout.write(
    [
      'This control plane is new and empty. In another terminal, in this folder:',
      `  weft init platform --apply${there}`,
      '      creates a small platform to play with: a class and a claim, a definition and a composition',
      `  weft user add NAME --role ROLE${there}`,
      '      gives a teammate access',
      'Stop it with Ctrl-C: everything is kept, and the next `weft up` continues from there.',
      '',
    ].join('\n'),
  )
}
