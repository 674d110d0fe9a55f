import type { CommandEntry, CommandGroup } from './command-entry.ts'

/** Every command, in the order of `weft --help`. To add one: a line here, a module in commands/. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: 'Control plane:',
    commands: [
      {
        name: 'up',
        summary: 'Start the control plane on this machine: one process, no cluster needed.',
        load: async () => (await import('./commands/up.ts')).upCommand,
      },
      {
        name: 'down',
        summary: 'Stop the control plane that `weft up` runs.',
        load: async () => (await import('./commands/down.ts')).downCommand,
      },
      {
        name: 'status',
        summary: 'Show whether the control plane is running, and how it is doing.',
        load: async () => (await import('./commands/status.ts')).statusCommand,
      },
      {
        name: 'top',
        summary: 'Show what the controllers are doing, and how fast.',
        load: async () => (await import('./commands/top.ts')).topCommand,
      },
      {
        name: 'logs',
        summary: 'Show the output of providers and functions.',
        load: async () => (await import('./commands/logs.ts')).logsCommand,
      },
      {
        name: 'init',
        summary: 'Create a small platform to play with, and apply it if you like.',
        load: async () => (await import('./commands/init.ts')).initCommand,
      },
      {
        name: 'start',
        summary: 'Run the controllers on a Kubernetes cluster.',
        load: async () => (await import('./commands/start.ts')).startCommand,
      },
      {
        name: 'install',
        summary: 'Install Weft into a Kubernetes cluster, or upgrade it.',
        load: async () => (await import('./commands/install.ts')).installCommand,
      },
      {
        name: 'uninstall',
        summary: 'Remove Weft from a Kubernetes cluster.',
        load: async () => (await import('./commands/uninstall.ts')).uninstallCommand,
      },
      {
        name: 'open',
        summary: 'Open the web console of `weft up` in the browser, signed in.',
        load: async () => (await import('./commands/open.ts')).openCommand,
      },
      {
        name: 'console',
        summary: 'Serve the web console on this machine, for any server.',
        load: async () => (await import('./commands/console.ts')).consoleCommand,
      },
      {
        name: 'simulate',
        summary: 'Run a simulated cloud for the providers gcp, azure and aws.',
        load: async () => (await import('./commands/simulate.ts')).simulateCommand,
      },
      {
        name: 'user',
        summary: 'Give people access: accounts with a role, and their kubeconfigs.',
        load: async () => (await import('./commands/user.ts')).userCommand,
      },
      {
        name: 'token',
        summary: 'Print a new token for an account of `weft user`.',
        load: async () => (await import('./commands/token.ts')).tokenCommand,
      },
      {
        name: 'backup',
        summary: 'Back up the data of a running control plane.',
        load: async () => (await import('./commands/backup.ts')).backupCommand,
      },
      {
        name: 'restore',
        summary: 'Create a data directory from a backup.',
        load: async () => (await import('./commands/backup.ts')).restoreCommand,
      },
      {
        name: 'check',
        summary: 'Check stored data against its checksums.',
        load: async () => (await import('./commands/check.ts')).checkCommand,
      },
      {
        name: 'repair',
        summary: 'Save what is intact in a damaged data directory.',
        load: async () => (await import('./commands/repair.ts')).repairCommand,
      },
    ],
  },
  {
    title: 'Objects:',
    commands: [
      {
        name: 'apply',
        summary: 'Create or update objects from files; all are checked before any is written.',
        load: async () => (await import('./commands/apply.ts')).applyCommand,
      },
      {
        name: 'get',
        summary: 'Show objects: one line each, or in full.',
        load: async () => (await import('./commands/get.ts')).getCommand,
      },
      {
        name: 'describe',
        summary: 'Show everything about objects: conditions, references, events.',
        load: async () => (await import('./commands/describe.ts')).describeCommand,
      },
      {
        name: 'trace',
        summary: 'Show what was created for an object, and why it is not ready.',
        load: async () => (await import('./commands/trace.ts')).traceCommand,
      },
      {
        name: 'events',
        summary: 'Show events, the latest last.',
        load: async () => (await import('./commands/events.ts')).eventsCommand,
      },
      {
        name: 'wait',
        summary: 'Wait until objects have a condition, a value, or are gone.',
        load: async () => (await import('./commands/wait.ts')).waitCommand,
      },
      {
        name: 'edit',
        summary: 'Edit an object in your editor.',
        load: async () => (await import('./commands/edit.ts')).editCommand,
      },
      { name: 'patch', summary: 'Change some fields of one object.', load: async () => (await import('./commands/patch.ts')).patchCommand },
      {
        name: 'delete',
        summary: 'Delete objects, and wait until they are gone.',
        load: async () => (await import('./commands/delete.ts')).deleteCommand,
      },
      {
        name: 'reconcile',
        summary: 'Reconcile objects now.',
        load: async () => (await import('./commands/reconcile.ts')).reconcileCommand,
      },
      {
        name: 'pause',
        summary: 'Stop reconciling objects until they are resumed.',
        load: async () => (await import('./commands/pause.ts')).pauseCommand,
      },
      {
        name: 'resume',
        summary: 'Reconcile paused objects again.',
        load: async () => (await import('./commands/resume.ts')).resumeCommand,
      },
      {
        name: 'explain',
        summary: 'Show what the fields of a kind mean.',
        load: async () => (await import('./commands/explain.ts')).explainCommand,
      },
      {
        name: 'api-resources',
        summary: 'List the kinds that the server serves.',
        load: async () => (await import('./commands/api-resources.ts')).apiResourcesCommand,
      },
    ],
  },
  {
    title: 'Before you apply:',
    commands: [
      {
        name: 'function',
        summary: 'Write and test composition functions.',
        load: async () => (await import('./commands/function.ts')).functionCommand,
      },
      {
        name: 'render',
        summary: 'Show what would be created for a claim or composite, from files alone.',
        load: async () => (await import('./commands/render.ts')).renderCommand,
      },
      {
        name: 'validate',
        summary: 'Check files against definitions, kinds and packages, without a server.',
        load: async () => (await import('./commands/validate.ts')).validateCommand,
      },
      {
        name: 'convert',
        summary: 'Convert definitions and Compositions to those of Crossplane, or back.',
        load: async () => (await import('./commands/convert.ts')).convertCommand,
      },
      {
        name: 'diff',
        summary: 'Show what would change, down to managed resources, if files were applied.',
        load: async () => (await import('./commands/diff.ts')).diffCommand,
        failureCode: 2,
      },
      {
        name: 'plan',
        summary: 'The same as diff.',
        load: async () => (await import('./commands/diff.ts')).planCommand,
        failureCode: 2,
      },
    ],
  },
  {
    title: 'Compositions in TypeScript:',
    commands: [
      {
        name: 'types',
        summary: 'Write TypeScript types for kinds.',
        load: async () => (await import('./commands/types.ts')).typesCommand,
      },
      {
        name: 'compile',
        summary: 'Compile a composition in TypeScript to YAML.',
        load: async () => (await import('./commands/compile.ts')).compileCommand,
      },
    ],
  },
  {
    title: 'Packages:',
    commands: [
      {
        name: 'package',
        summary: 'Create packages, share them in registries, and install them.',
        load: async () => (await import('./commands/package.ts')).packageCommand,
      },
      {
        name: 'provider',
        summary: 'Use Terraform providers: add one, see and activate its kinds, remove it.',
        load: async () => (await import('./commands/provider.ts')).providerCommand,
      },
      {
        name: 'import',
        summary: 'Import what Terraform or OpenTofu created, from a state file.',
        load: async () => (await import('./commands/import.ts')).importCommand,
      },
    ],
  },
  {
    title: 'This command:',
    commands: [
      {
        name: 'docs',
        summary: 'Open the manual in the browser.',
        load: async () => (await import('./commands/docs.ts')).docsCommand,
      },
      {
        name: 'completion',
        summary: 'Complete commands, kinds and names in bash, zsh or fish.',
        load: async () => (await import('./commands/completion.ts')).completionCommand,
      },
      {
        name: 'version',
        summary: 'Print the version of this command and of the server.',
        load: async () => (await import('./commands/version.ts')).versionCommand,
      },
    ],
  },
]

export const COMMANDS: readonly CommandEntry[] = COMMAND_GROUPS.flatMap(({ commands }) => commands)
