import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { NODE_WARNING } from '../weft-process.ts'

const WEFT = fileURLToPath(new URL('../../packages/cli/bin/weft.mjs', import.meta.url))

export interface CommandResult {
  readonly code: number | null
  /** Both streams. */
  readonly output: string
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly cwd?: string
  /** Over the environment of the test; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly input?: string
}

/** Runs `weft` to its end, as a user would in a shell. */
export const weft = (...args: readonly string[]): Promise<CommandResult> => weftWith({}, ...args)

/** The same in a folder, with variables, with something on standard input. */
export async function weftWith({ cwd, env, input }: CommandOptions, ...args: readonly string[]): Promise<CommandResult> {
  const child = spawn(process.execPath, [WEFT, ...args], { stdio: ['pipe', 'pipe', 'pipe'], cwd, env: { ...process.env, ...env } })
  const result = { output: '', stdout: '', stderr: '' }
  child.stdout.on('data', (data: Buffer) => {
    result.stdout += data.toString()
    result.output += data.toString()
  })
  child.stderr.on('data', (data: Buffer) => {
    result.stderr += data.toString()
    result.output += data.toString()
  })
  // A command that reads nothing may end before it is given anything.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  if (NODE_WARNING.test(result.stderr)) throw new Error(`weft ${args.join(' ')} printed what is Node's:\n${result.stderr}`)
  return { code, ...result }
}

export interface FollowedCommand {
  readonly child: ChildProcess
  output(): string
  /** Resolves when the output so far matches. */
  until(pattern: RegExp): Promise<string>
  stop(): Promise<void>
}

/** Starts a `weft` that goes on until told to stop. */
export function followWeft({ cwd, env }: CommandOptions, ...args: readonly string[]): FollowedCommand {
  const child = spawn(process.execPath, [WEFT, ...args], { stdio: ['ignore', 'pipe', 'pipe'], cwd, env: { ...process.env, ...env } })
  const exited = once(child, 'exit')
  let output = ''
  let check = (): void => undefined
  const onData = (data: Buffer): void => {
    output += data.toString()
    check()
  }
  child.stdout.on('data', onData)
  child.stderr.on('data', onData)
  return {
    child,
    output: () => output,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        check = () => {
          if (pattern.test(output)) resolve(output)
        }
        child.once('exit', (code) => reject(new Error(`weft ${args.join(' ')} ended with ${code ?? 'a signal'}:\n${output}`)))
        check()
      }),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
    },
  }
}
