import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root: string = fileURLToPath(new URL('../../', import.meta.url))

/** A copy of an example, and a shell in it: as a user has who follows its README in a clone, with a home that knows of nothing. */
export interface Workshop {
  run(script: string): Promise<{ readonly code: number | null; readonly output: string }>
  /** Starts what goes on; resolves when it is ready. */
  start(command: string): Promise<void>
  /** What was started and said so far. */
  backgroundOutput(): string
  /** Stops what was started, and removes everything. */
  close(): Promise<void>
}

/** `npx` takes what is installed here, without the seconds it takes to look for it. */
const NPX = `#!/bin/sh
name=$1
shift
[ -x "${root}node_modules/.bin/$name" ] || { echo "npx: $name is not installed here" >&2; exit 1; }
exec "${root}node_modules/.bin/$name" "$@"
`

/** Something is wrong then, however slow the machine: better said than waited for. */
const START_MS = 180_000

/** `only`: of a large folder, the entries that the README speaks of; none for a folder that is empty. */
export async function openWorkshop(example: string, only?: readonly string[]): Promise<Workshop> {
  const { base, folder } = await openFolder(basename(example))
  for (const entry of only ?? ['']) await cp(join(example, entry), join(folder, entry), { recursive: true })
  await symlink(join(root, 'node_modules'), join(base, 'node_modules'))
  await writeFile(join(base, 'bin', 'npx'), NPX, { mode: 0o755 })
  await symlink(join(root, 'node_modules', '.bin', 'weft'), join(base, 'bin', 'weft'))
  return shellIn(base, folder, `${join(base, 'bin')}:${process.env['PATH'] ?? ''}`)
}

/**
 * An empty folder of somebody who has installed `weft`, and nothing of this repository. `programs`: all that their shell finds besides; where it is
 * left out, whatever this machine has.
 */
export async function openEmptyWorkshop(weft: string, programs?: readonly string[]): Promise<Workshop> {
  const { base, folder } = await openFolder('work')
  await symlink(weft, join(base, 'bin', 'weft'))
  for (const program of programs === undefined ? [] : ['bash', ...programs])
    await symlink(await whereIs(program), join(base, 'bin', program))
  const inherited = programs === undefined ? `:${process.env['PATH'] ?? ''}` : ''
  return shellIn(base, folder, `${join(base, 'bin')}${inherited}`)
}

async function openFolder(name: string): Promise<{ readonly base: string; readonly folder: string }> {
  const base = await mkdtemp(join(tmpdir(), 'weft-example-'))
  const folder = join(base, name)
  await mkdir(folder)
  await mkdir(join(base, 'bin'))
  return { base, folder }
}

async function whereIs(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)('which', [program])
  return stdout.trim()
}

function shellIn(base: string, folder: string, path: string): Workshop {
  const { KUBECONFIG: _, ...inherited } = process.env
  const env = { ...inherited, HOME: base, NO_COLOR: '1', PATH: path }
  const background: { readonly child: ChildProcess; output: string }[] = []
  return {
    async run(script) {
      const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, output }
    },
    start(command) {
      // Several examples may run at a time: whatever port the README speaks of, this one is free. `exec`: signals reach it, not a shell.
      // `npm start` is `weft up` once everything is installed and built, which it is here.
      const program = command.trim().replace(/^npm start\b/, 'npx weft up')
      const child = spawn('bash', ['-c', `exec ${program} --port 0`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
      const started = { child, output: '' }
      background.push(started)
      return new Promise((resolve, reject) => {
        const overdue = (): void => reject(new Error(`${command.trim()} is not ready after ${START_MS / 1000} s:\n${started.output}`))
        setTimeout(overdue, START_MS).unref()
        const onData = (data: Buffer): void => {
          started.output += data.toString()
          if (/ready at https?:/i.test(started.output)) resolve()
        }
        child.stdout.on('data', onData)
        child.stderr.on('data', onData)
        child.once('exit', (code) => reject(new Error(`${command.trim()} ended with code ${code ?? 'none'}:\n${started.output}`)))
      })
    },
    backgroundOutput: () => background.map(({ output }) => output).join('\n'),
    async close() {
      for (const { child } of background.toReversed()) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const exited = once(child, 'exit')
        child.kill('SIGTERM')
        await exited
      }
      await rm(base, { recursive: true, force: true })
    },
  }
}
