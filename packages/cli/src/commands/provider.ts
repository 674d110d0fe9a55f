import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { collectList, durationOption } from './option-values.ts'
import type { ActivateOptions } from './provider/activate.ts'
import type { AddOptions } from './provider/add.ts'
import type { KindsOptions } from './provider/kinds.ts'
import type { ListOptions } from './provider/list.ts'
import type { RemoveOptions } from './provider/remove.ts'

const TIMEOUT = '10m'

export const providerCommand = (run: Run): Command =>
  new Command('provider')
    .description('Use Terraform providers: every resource type of one is a kind, and costs nothing until it is activated.')
    .addCommand(addCommand(run))
    .addCommand(kindsCommand(run))
    .addCommand(activateCommand(run))
    .addCommand(listCommand(run))
    .addCommand(removeCommand(run))
    .addHelpText(
      'after',
      '\nExample:\n  weft provider add hashicorp/time\n  weft provider add hashicorp/aws@6 --activate vpc,subnet\n  weft provider kinds terraform-aws bucket\n  weft provider activate terraform-aws s3bucket',
    )

const addCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('add')
      .description('Add a Terraform provider, or bring one to another version, and wait until it can be used.')
      .argument('<source>', '[host/]namespace/type[@version], or the path of a provider on the machine of the control plane')
      .option('--name <name>', 'name of the Provider (default: terraform-TYPE)')
      .option(
        '--activate <kinds>',
        'kinds to activate, by kind or Terraform type, or "*"; repeat or separate by commas (default: all of a small provider)',
        collectList,
      )
      .addOption(durationOption('--timeout <duration>', 'how long it may take', TIMEOUT)),
  )
    .addHelpText(
      'after',
      '\nThe version may be one (6.2.0), the beginning of one (6), or conditions ("~> 6.1").\n\nExample:\n  weft provider add hashicorp/aws@6 --activate aws_vpc,aws_subnet\n  weft provider add ./terraform-provider-dns',
    )
    .action((source: string, options: AddOptions) => run(async () => (await import('./provider/add.ts')).add(source, options)))

const kindsCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('kinds')
      .description('List the kinds of a Terraform provider.')
      .argument('<name>', 'name of the Provider')
      .argument('[word]', 'only kinds and types that contain this word')
      .option('--active', 'only those that are active')
      .option('--no-headers', 'omit the header line'),
  )
    .addHelpText('after', '\nExample:\n  weft provider kinds terraform-aws bucket')
    .action((name: string, word: string | undefined, options: KindsOptions) =>
      run(async () => (await import('./provider/kinds.ts')).kinds(name, word, options)),
    )

const activateCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('activate')
      .description('Activate kinds of a Terraform provider, and wait until they are served. This cannot be undone.')
      .argument('<name>', 'name of the Provider')
      .argument('<kinds...>', 'by kind or Terraform type, or "*"')
      .addOption(durationOption('--timeout <duration>', 'how long it may take', TIMEOUT)),
  )
    .addHelpText('after', '\nExample:\n  weft provider activate terraform-aws vpc aws_subnet')
    .action((name: string, wanted: readonly string[], options: ActivateOptions) =>
      run(async () => (await import('./provider/activate.ts')).activate(name, wanted, options)),
    )

const listCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('list').description('List the Terraform providers of the control plane.').option('--no-headers', 'omit the header line'),
  )
    .addHelpText('after', '\nExample:\n  weft provider list')
    .action((options: ListOptions) => run(async () => (await import('./provider/list.ts')).list(options)))

const removeCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('remove').description('Remove a Terraform provider and its kinds.').argument('<name>', 'name of the Provider'),
  )
    .addHelpText('after', '\nExample:\n  weft provider remove terraform-aws')
    .action((name: string, options: RemoveOptions) => run(async () => (await import('./provider/remove.ts')).remove(name, options)))
