import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import type { ExplainOptions } from './explain/explain.ts'

export const explainCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('explain')
      .description('Explain the fields of a kind. Managed kinds that are not active are explained from their definition.')
      .argument('<field>', 'TYPE or TYPE.FIELD.FIELD')
      .option('--recursive', 'all fields below, without descriptions')
      .option('--connection', 'what the connection secret of a managed kind contains')
      .option('--api-version <version>', 'another version than the preferred one, such as example.org/v1beta1'),
  )
    .addHelpText('after', '\nExample:\n  weft explain postgresqlserver.spec.forProvider\n  weft explain postgresqlserver --connection')
    .action((field: string, options: ExplainOptions) => run(async () => (await import('./explain/explain.ts')).explain(field, options)))
