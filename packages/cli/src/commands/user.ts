import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { durationOption, oneOf } from './option-values.ts'
import type { AddUserOptions } from './user/add-user.ts'
import { USER_ROLES } from './user/user-account.ts'
import type { ClusterOptions } from '../cluster/index.ts'

export const userCommand = (run: Run): Command =>
  new Command('user')
    .description('Give people access: accounts with a role, and their kubeconfigs.')
    .addCommand(addCommand(run))
    .addCommand(listCommand(run))
    .addCommand(removeCommand(run))
    .addHelpText(
      'after',
      '\nExample:\n  weft user add ada --role application-operator -n shop -o ada.kubeconfig\n  weft user list\n  weft user remove ada -n shop',
    )

const addCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('add')
      .description(
        'Create an account for a person and write its kubeconfig, for kubectl, `weft` and signing in to the console. Run it again for the same name to issue a new token.',
      )
      .argument('<name>', 'name of the person')
      .requiredOption(
        '--role <role>',
        `${USER_ROLES.join(', ')}. Application operators get it in the namespace of -n, the others everywhere`,
        oneOf(...USER_ROLES),
      )
      .option('-o, --output <file>', 'file to write (default: NAME.kubeconfig)')
      .addOption(durationOption('--duration <duration>', 'how long the token is valid', '720h'))
      .option('--server <address>', 'address of the API as that person reaches it (default: as you reach it)'),
  )
    .addHelpText('after', '\nExample:\n  weft user add ada --role application-operator -n shop')
    .action((name: string, options: AddUserOptions) => run(async () => (await import('./user/add-user.ts')).addUser(name, options)))

const listCommand = (run: Run): Command =>
  withClusterOptions(new Command('list').description('Show the accounts that `weft user add` created.'))
    .addHelpText('after', '\nExample:\n  weft user list')
    .action((options: ClusterOptions) => run(async () => (await import('./user/list-users.ts')).listUsers(options)))

const removeCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('remove')
      .description('Remove an account. Its tokens stop working at once; what the person created stays.')
      .argument('<name>', 'name of the person'),
  )
    .addHelpText('after', '\nExample:\n  weft user remove ada -n shop')
    .action((name: string, options: ClusterOptions) => run(async () => (await import('./user/remove-user.ts')).removeUser(name, options)))
