import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface KroProcess {
  readonly child: ChildProcess
  output(): string
  stop(): Promise<void>
}

/** Runs kro against a server that has its definitions, as it comes but for its limits on requests. */
export function startKro(program: string, kubeconfig: string): KroProcess {
  const args = ['-metrics-bind-address=0', '-health-probe-bind-address=0', '-client-qps=1000', '-client-burst=2000']
  const child = spawn(program, [`-kubeconfig=${kubeconfig}`, ...args, '-allow-crd-deletion=true'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, KUBECONFIG: kubeconfig },
  })
  let output = ''
  const keep = (data: Buffer): void => void (output = (output + data.toString()).slice(-100_000))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const exited = once(child, 'exit')
  return {
    child,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
