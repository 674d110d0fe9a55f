import { execFile, spawn } from 'node:child_process'

/** What one run of a program gave. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Kubectl {
  /** Runs and answers whatever happens. */
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** Runs, expects success, and answers standard output. */
  ok(args: readonly string[], options?: RunOptions): Promise<string>
  /** Starts a command that goes on until told to stop. */
  follow(args: readonly string[]): Followed
}

export interface RunOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Followed {
  /** Resolves when the output so far matches. */
  until(pattern: RegExp): Promise<string>
  stop(): void
}

export function kubectl(path: string, kubeconfig: string, cacheDir: string): Kubectl {
  const env = { ...process.env, KUBECONFIG: kubeconfig, KUBECACHEDIR: cacheDir, HOME: cacheDir }
  const run = (args: readonly string[], { input, env: more }: RunOptions = {}): Promise<Ran> =>
    new Promise((resolve) => {
      const child = execFile(path, [...args], { env: { ...env, ...more }, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr }),
      )
      child.stdin?.end(input)
    })
  return {
    run,
    async ok(args, options) {
      const { code, stdout, stderr } = await run(args, options)
      if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}:\n${stderr}${stdout}`)
      return stdout
    },
    follow(args) {
      const child = spawn(path, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      let check = (): void => undefined
      const onData = (data: Buffer): void => {
        output += data.toString()
        check()
      }
      child.stdout.on('data', onData)
      child.stderr.on('data', onData)
      return {
        until: (pattern) =>
          new Promise((resolve) => {
            check = () => {
              if (pattern.test(output)) resolve(output)
            }
            check()
          }),
        stop: () => void child.kill('SIGKILL'),
      }
    },
  }
}
