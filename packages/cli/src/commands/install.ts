import { hasReason, messageOf, SYSTEM_NAMESPACE } from '@weft/api'
import {
  BUNDLED_PROVIDERS,
  describeNewerKind,
  installOnKubernetes,
  kubernetesManifests,
  releasedKinds,
  type Survey,
  surveyInstallation,
} from '@weft/controlplane'
import { Command, Option } from 'commander'
import { stringify } from 'yaml'
import { type ClusterOptions, withCluster } from '../cluster/index.ts'
import type { Run } from '../run.ts'
import { VERSION } from '../version.ts'
import { wholeNumber } from './option-values.ts'

interface InstallCommandOptions extends ClusterOptions {
  readonly image: string
  readonly replicas: number
  readonly provider: readonly string[]
  readonly package?: readonly string[]
  readonly activation?: readonly string[]
  readonly print?: boolean
  readonly check?: boolean
}

export const installCommand = (run: Run): Command =>
  new Command('install')
    .description(
      'Install Weft into a Kubernetes cluster, or upgrade it: kinds, account, roles, admission, and a deployment of `weft start`.',
    )
    .option('--kubeconfig <file>', 'the cluster, as an administrator (default: $KUBECONFIG, ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .option('-n, --namespace <name>', 'namespace to run in', SYSTEM_NAMESPACE)
    .option('--image <reference>', 'image to run', `weft:${VERSION}`)
    .option('--replicas <number>', 'number of replicas; one of them leads', wholeNumber, 2)
    .addOption(new Option('--provider <names...>', `bundled providers to run, of ${BUNDLED_PROVIDERS.join(', ')}`).default(['nop'], 'nop'))
    .option('--package <references...>', 'provider packages to install')
    .option('--activation <patterns...>', 'managed kinds that the default policy activates when it is first created (default: *)')
    .option('--check', 'show what would be created or changed, and what is in the way, without changing anything')
    .option('--print', 'print the manifests instead of applying them')
    .addHelpText(
      'after',
      '\nExample:\n  weft install --kubeconfig ~/.kube/config --replicas 3\n  weft install --check\n  weft install --print | kubectl apply -f -',
    )
    .action((options: InstallCommandOptions) => run(() => install(options)))

async function install(options: InstallCommandOptions): Promise<number> {
  const wanted = {
    namespace: options.namespace ?? SYSTEM_NAMESPACE,
    image: options.image,
    replicas: options.replicas,
    args: [
      ...options.provider.map((name) => `--provider=${name}`),
      ...(options.package ?? []).map((reference) => `--package=${reference}`),
      ...(options.activation ?? []).map((pattern) => `--activation=${pattern}`),
    ],
    resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } },
  }
  if (options.print === true) {
    const objects = [...releasedKinds(), ...kubernetesManifests(wanted).map(({ object }) => object)]
    process.stdout.write(objects.map((object) => `---\n${stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })}`).join(''))
    return 0
  }
  return withCluster(options, async ({ client, server }) => {
    if (options.check === true) return check(await surveyInstallation(client, wanted), server)
    try {
      const applied = await installOnKubernetes(client, wanted)
      for (const each of applied) process.stdout.write(`${each} applied\n`)
    } catch (error) {
      if (!hasReason(error, 'Forbidden')) throw error
      throw new Error(`${messageOf(error)}; installing requires the rights of an administrator of ${server}`, { cause: error })
    }
    process.stdout.write(
      `Weft ${VERSION} is installed on ${server}\nNext: kubectl --namespace ${wanted.namespace} rollout status deployment/weft\n`,
    )
    return 0
  })
}

/** 0: it can be installed. */
function check({ obstacles, newer, changes, unchanged }: Survey, server: string): number {
  const count = (wanted: string): number => changes.filter(({ change }) => change === wanted).length
  for (const { object, change } of changes) process.stdout.write(`${change.padEnd(7)} ${object}\n`)
  for (const { object, detail } of obstacles) process.stdout.write(`refused ${object}: not Weft's${detail === '' ? '' : ` (${detail})`}\n`)
  for (const kind of newer) process.stdout.write(`refused ${describeNewerKind(kind)}\n`)
  const summary = `${count('create')} to create, ${count('change')} to change, ${unchanged} unchanged, ${obstacles.length + newer.length} in the way`
  process.stdout.write(`${server}: ${summary}; nothing was changed\n`)
  if (obstacles.length > 0)
    process.stdout.write('Weft cannot be installed here while these exist: it changes nothing that is not its own\n')
  if (newer.length > 0)
    process.stdout.write(`Release ${VERSION} cannot be installed here: use the release of these kinds, or a newer one\n`)
  return obstacles.length + newer.length > 0 ? 1 : 0
}
