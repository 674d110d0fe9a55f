import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { collect, collectList, durationOption, oneOf, wholeNumber } from './option-values.ts'
import type { BuildOptions } from './package/build.ts'
import type { BundleOptions } from './package/bundle.ts'
import type { DevOptions } from './package/dev.ts'
import type { CacheOptions } from './package/cache.ts'
import type { InitOptions } from './package/init.ts'
import type { InstallOptions } from './package/install.ts'
import type { ListOptions } from './package/list.ts'
import type { PushCommandOptions } from './package/push.ts'
import type { UninstallOptions } from './package/uninstall.ts'

const TIMEOUT = '2m'
const DEV_TIMEOUT = '30s'
/** Programs are large. */
const BUNDLE_TIMEOUT = '15m'

export const packageCommand = (run: Run): Command =>
  new Command('package')
    .description('Create packages of kinds and compositions, share them in registries, and install them.')
    .addCommand(initCommand(run))
    .addCommand(devCommand(run))
    .addCommand(buildCommand(run))
    .addCommand(pushCommand(run))
    .addCommand(bundleCommand(run))
    .addCommand(installCommand(run))
    .addCommand(listCommand(run))
    .addCommand(uninstallCommand(run))
    .addCommand(cacheCommand(run))
    .addHelpText(
      'after',
      '\nExample:\n  weft package init configuration my-platform\n  weft package build my-platform\n  weft package push -f my-platform.xpkg registry.example.org/team/my-platform:v0.1.0\n  weft package install registry.example.org/team/my-platform:v0.1.0 --wait',
    )

const initCommand = (run: Run): Command =>
  new Command('init')
    .description('Create a directory with a starter package, which builds and installs as it is.')
    .argument('<type>', 'provider or configuration', oneOf('provider', 'configuration'))
    .argument('<directory>', 'directory to create')
    .option('--name <name>', 'name of the package (default: that of the directory)')
    .addHelpText('after', '\nExample:\n  weft package init configuration my-platform')
    .action((type: string, directory: string, options: InitOptions) =>
      run(async () => (await import('./package/init.ts')).init(type === 'provider' ? 'Provider' : 'Configuration', directory, options)),
    )

const devCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('dev')
      .description(
        'Install a package from its directory, and again whenever one of its files changes. The module of a provider is built from src/provider.ts; nothing but Weft is needed.',
      )
      .argument('[directory]', 'directory of the package, or of the project of a provider', '.')
      .option('--name <name>', 'name of the package object (default: the name in its metadata)')
      .addOption(durationOption('--timeout <duration>', 'how long to wait each time until it is healthy', DEV_TIMEOUT)),
  )
    .addHelpText('after', '\nExample:\n  weft package init provider my-provider\n  weft package dev my-provider')
    .action((directory: string, options: DevOptions) => run(async () => (await import('./package/dev.ts')).dev(directory, options)))

const buildCommand = (run: Run): Command =>
  new Command('build')
    .description('Check a package and write it to one .xpkg file. The same files always give the same bytes.')
    .argument('[directory]', 'directory with crossplane.yaml, or the project of a provider', '.')
    .option('-o, --output <file>', 'file to write (default: NAME.xpkg)')
    .option('--oci-layout <directory>', 'write an OCI image layout to this directory instead')
    .option('--embed-runtime-image-tarball <path>', 'image that the package runs: a file as `docker save` writes it, or an OCI layout')
    .option(
      '--root <directory>',
      'directory with all files of the program that the package runs, which becomes its root; needs no container engine',
    )
    .option('--entrypoint <word>', 'with --root: the file that is started, and once more for each of its arguments', collect)
    .option('--env <name=value>', 'with --root: environment variable of the program; may be repeated', collect)
    .option('--workdir <directory>', 'with --root: working directory of the program')
    .option('--platform <os/architecture>', 'with --root: what the program was built for (default: linux on this kind of machine)')
    .addHelpText(
      'after',
      '\nExample:\n  weft package build my-platform -o my-platform.xpkg\n  weft package build my-function --root ./root --entrypoint /usr/bin/python3 --entrypoint /app/main.py',
    )
    .action((directory: string, options: BuildOptions) => run(async () => (await import('./package/build.ts')).build(directory, options)))

const pushCommand = (run: Run): Command =>
  new Command('push')
    .description('Send a package to an OCI registry. Credentials are those of docker login.')
    .argument('<image>', 'where to: registry/repository:tag')
    .option('-f, --package <path>', 'directory, .xpkg file or OCI layout', '.')
    .option('--sign-key <file>', 'PEM private key to sign the image with, as cosign does')
    .option('--insecure-registry <host>', 'use this registry without TLS; may be repeated', collect)
    .addOption(durationOption('--timeout <duration>', 'how long it may take', TIMEOUT))
    .addHelpText('after', '\nExample:\n  weft package push -f my-platform.xpkg registry.example.org/team/my-platform:v0.1.0')
    .action((image: string, options: PushCommandOptions) => run(async () => (await import('./package/push.ts')).push(image, options)))

const bundleCommand = (run: Run): Command =>
  new Command('bundle')
    .description('Put packages and all that they depend on into one file, for control planes that reach no registry.')
    .argument('<packages...>', 'images such as registry.example.org/team/name:v1.2.3')
    .requiredOption('-o, --output <file>', 'file to write')
    .option('--platform <os/architecture>', 'platform to choose from images for several platforms (default: this machine)')
    .option('--insecure-registry <host>', 'use this registry without TLS; may be repeated', collect)
    .addOption(durationOption('--timeout <duration>', 'how long it may take', BUNDLE_TIMEOUT))
    .addHelpText(
      'after',
      '\nExample:\n  weft package bundle registry.example.org/team/my-platform:v0.1.0 -o my-platform.bundle\n\nWhere there is no registry:\n  weft up --package-bundle my-platform.bundle\n  weft package install my-platform.bundle --wait',
    )
    .action((packages: readonly string[], options: BundleOptions) =>
      run(async () => (await import('./package/bundle.ts')).bundle(packages, options)),
    )

const installCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('install')
      .description('Install a package, or bring an installed one to another version.')
      .argument('<package>', 'image such as registry.example.org/team/name:v1.2.3, directory, .xpkg file, OCI layout or bundle')
      .option('--name <name>', 'name of the package object (default: the name in its metadata)')
      .option(
        '--type <type>',
        'provider, configuration or function, when the package cannot be read from here',
        oneOf('provider', 'configuration', 'function'),
      )
      .option('--manual-activation', 'new revisions stay inactive until somebody activates them')
      .option('--history-limit <count>', 'how many inactive revisions to keep', wholeNumber)
      .option('--pull-secret <names>', 'secrets with credentials for the registry; repeat or separate by commas', collectList)
      .option('--skip-dependencies', 'do not install dependencies')
      .option('--insecure-registry <host>', 'use this registry without TLS when reading the package; may be repeated', collect)
      .option('--wait', 'wait until it is Healthy')
      .addOption(durationOption('--timeout <duration>', 'with --wait: how long', TIMEOUT)),
  )
    .addHelpText(
      'after',
      '\nExample:\n  weft package install ./my-platform --wait\n  weft package install registry.example.org/team/my-platform:v0.2.0',
    )
    .action((source: string, options: InstallOptions) => run(async () => (await import('./package/install.ts')).install(source, options)))

const listCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('list').description('Show the packages that are installed.').option('--no-headers', 'omit the header line'),
  )
    .addHelpText('after', '\nExample:\n  weft package list\n  weft get providerrevisions,configurationrevisions')
    .action((options: ListOptions) => run(async () => (await import('./package/list.ts')).list(options)))

const cacheCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('cache')
      .description('Show the packages that the control plane keeps on this machine, and their size.')
      .option(
        '--prune',
        'remove what no installed package needs, as the control plane does when revisions are removed; what is less than ten minutes old stays',
      ),
  )
    .addHelpText('after', '\nExample:\n  weft package cache\n  weft package cache --prune')
    .action((options: CacheOptions) => run(async () => (await import('./package/cache.ts')).cache(options)))

const uninstallCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('uninstall')
      .description(
        'Remove an installed package with its kinds and compositions. This is refused while objects of its kinds exist: they would be deleted, and their external resources with them.',
      )
      .argument('<name>', 'name of the package, as `weft package list` shows it')
      .option(
        '--type <type>',
        'provider, configuration or function, where both have that name',
        oneOf('provider', 'configuration', 'function'),
      )
      .option('--confirm <count>', 'delete this many objects with it: the number that the refusal names', wholeNumber)
      .option('--no-wait', 'do not wait until it is gone')
      .addOption(durationOption('--timeout <duration>', 'how long to wait', TIMEOUT)),
  )
    .addHelpText('after', '\nExample:\n  weft package uninstall my-platform')
    .action((name: string, options: UninstallOptions) => run(async () => (await import('./package/uninstall.ts')).uninstall(name, options)))
