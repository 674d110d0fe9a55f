import { isJsonObject } from '@weft/api'
import { Command } from 'commander'
import { type ClusterOptions, withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { serverVersion } from '../server-version.ts'
import { VERSION } from '../version.ts'

interface VersionOptions extends ClusterOptions {
  readonly client?: boolean
  readonly output?: string
}

export const versionCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('version')
      .description('Print the version of this command, and of the server if one answers.')
      .option('--client', 'only of this command')
      .option('-o, --output <format>', 'json or yaml'),
  )
    .addHelpText('after', '\nExample:\n  weft version --client')
    .action((options: VersionOptions) => run(() => version(options)))

async function version(options: VersionOptions): Promise<number> {
  const { CommandFailure } = await import('../report.ts')
  const { formatJson } = await import('../output/format-object.ts')
  if (options.output !== undefined && options.output !== 'json' && options.output !== 'yaml') throw new CommandFailure('-o is json or yaml')
  const clientVersion = { version: VERSION, node: process.versions.node }
  let failure: unknown
  const server = options.client === true ? undefined : await askServer(options).catch((error: unknown) => void (failure = error))
  const answer = { clientVersion, ...(isJsonObject(server) && { serverVersion: server }) }
  if (options.output === 'json') process.stdout.write(formatJson(answer))
  else if (options.output === 'yaml') process.stdout.write((await import('../output/format-yaml.ts')).formatYaml(answer))
  else {
    process.stdout.write(`Client: ${VERSION} (Node.js ${process.versions.node})\n`)
    if (isJsonObject(server)) process.stdout.write(`Server: ${serverVersion(String(server['gitVersion']))}\n`)
  }
  // The command's own version is told whatever the server does; that it did not answer is told, too.
  if (failure !== undefined) throw failure
  return 0
}

async function askServer(options: ClusterOptions): Promise<unknown> {
  const { withCluster } = await import('../cluster/cluster.ts')
  return withCluster(options, async ({ transport }) => (await transport.request({ verb: 'read', path: '/version' })).body)
}
