import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import type { InitPlatformOptions } from './init/init.ts'

export const initCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('init')
      .description(
        'Create a folder with a small platform to play with: a class of PostgreSQL servers and a claim for one, a definition of your own and a composition that satisfies it.',
      )
      .argument('[directory]', 'folder to create', 'platform')
      .option('--apply', 'apply it to the control plane as well, claims included'),
  )
    .addHelpText('after', '\nExample:\n  weft init\n  weft init my-platform --apply')
    .action((directory: string, options: InitPlatformOptions) =>
      run(async () => (await import('./init/init.ts')).initPlatform(directory, options)),
    )
