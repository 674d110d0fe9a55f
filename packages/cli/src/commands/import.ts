import { SYSTEM_NAMESPACE } from '@weft/api'
import { Command, Option } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import type { ImportOptions } from './import/import-terraform.ts'
import { collect, collectList, durationOption } from './option-values.ts'

const TIMEOUT = '10m'

export const importCommand = (run: Run): Command =>
  new Command('import')
    .description('Bring what other tools created under management.')
    .addCommand(terraformCommand(run))
    .addHelpText('after', '\nExample:\n  weft import terraform terraform.tfstate --dry-run')

const terraformCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('terraform')
      .description(
        'Create managed resources for what a Terraform or OpenTofu state contains. At first they only observe (managementPolicies: [Observe]), and nothing real is touched. --take-over then lets Weft manage those that the provider would leave exactly as they are.',
      )
      .argument('<statefile>', 'a terraform.tfstate, the output of `tofu show -json`, or - for standard input')
      .option('--dry-run', 'show what would be done, and do nothing')
      .addOption(new Option('-o, --output <format>', 'print the objects instead of writing them').choices(['yaml', 'json']))
      .option('--only <addresses>', 'only these resources or modules (module.net, aws_vpc.main); repeat or separate by commas', collectList)
      .option('--prefix <word>', 'prefix for the names of objects, to tell several states apart')
      .option('--provider-config <alias=name>', 'the ProviderConfig to use for a provider with this alias; may be repeated', collect)
      .option('--secret-namespace <name>', 'namespace for Secrets with sensitive values', SYSTEM_NAMESPACE)
      .option('--take-over', 'let Weft manage what was imported, where the provider plans no change of it')
      .option('--accept-changes', 'with --take-over: also where the provider would change something in place (never replace)')
      .addOption(durationOption('--timeout <duration>', 'how long it may take', TIMEOUT)),
  )
    .addHelpText(
      'after',
      `
The providers must be installed: weft provider add. Sensitive values become Secrets; what the provider kept for itself in the state is kept. The same
file can be imported again: what is there already stays as it is. Exit code 0: everything was done, 1: something was left out.

Example:
  weft import terraform terraform.tfstate --dry-run
  weft import terraform terraform.tfstate
  weft import terraform terraform.tfstate --take-over
  tofu show -json | weft import terraform - -o yaml`,
    )
    .action((file: string, options: ImportOptions) =>
      run(async () => (await import('./import/import-terraform.ts')).importTerraform(file, options)),
    )
