import { CommandFailure } from '../../report.ts'

/** Where it was to listen, and which option says so: `port` or `console-port`. */
export interface Listening {
  readonly host: string
  readonly port: number
  readonly option: 'port' | 'console-port'
}

/** Why nothing could listen there, and what to do. Any other failure stays what it is. */
export function explainListening(error: unknown, { host, port, option }: Listening): unknown {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error
  const next = `choose another with --${option} (0 picks one that is free)`
  const explain = (message: string): CommandFailure => new CommandFailure(message, { cause: error })
  switch (code) {
    case 'EADDRINUSE':
      return explain(`port ${port} of ${host} is taken by another program, perhaps by another \`weft up\`: stop that, or ${next}`)
    case 'EACCES':
      return explain(`you may not listen on port ${port}: ports below 1024 are the system’s; ${next}`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return explain(
        `${host} is not an address of this machine: give one with --${option === 'port' ? 'host' : 'console-host'}, or 0.0.0.0 for all of them`,
      )
    default:
      return error
  }
}
