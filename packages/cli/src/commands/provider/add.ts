import { isDns1123Subdomain, type KubeObject } from '@weft/api'
import { TERRAFORM } from '@weft/controllers'
import { formatProviderSource, parseProviderSource, type ProviderSource } from '@weft/terraform'
import { resolve } from 'node:path'
import { type ClusterOptions, withCluster } from '../../cluster/index.ts'
import { CommandFailure } from '../../report.ts'
import { PACKAGE_GROUP } from '../package/package-object.ts'
import { untilHealthy } from '../package/until-healthy.ts'
import { activateKinds } from './activate.ts'
import { isTerraform, offeredKinds, packageOf } from './terraform-provider.ts'

export interface AddOptions extends ClusterOptions {
  readonly name?: string
  readonly activate?: readonly string[]
  readonly timeout: number
}

/** All kinds of a provider that has no more than this are activated unless others are asked for: whoever adds it wants to use it. */
const SMALL = 40

export async function add(text: string, options: AddOptions): Promise<number> {
  const source = parseProviderSource(text)
  const name = options.name ?? nameOf(source)
  const [problem] = isDns1123Subdomain(name)
  if (problem !== undefined)
    throw new CommandFailure(`${JSON.stringify(name)} cannot be the name of a Provider (${problem}); give another with --name`)
  const wanted: KubeObject = {
    apiVersion: `${PACKAGE_GROUP}/v1`,
    kind: 'Provider',
    metadata: { name },
    spec: { package: `${TERRAFORM}${sourceText(text, source)}` },
  }
  return withCluster(options, async (cluster) => {
    const { client } = cluster
    const before = await client.find({ group: PACKAGE_GROUP, kind: 'Provider' }, { name })
    if (before !== undefined && !isTerraform(before))
      throw new CommandFailure(`Provider ${name} exists already, and is ${packageOf(before)}; give this one another name with --name`)
    const applied = await client.apply(wanted, { force: true })
    await untilHealthy(cluster, applied, { label: `provider.${PACKAGE_GROUP}/${name}`, timeoutMs: options.timeout })
    const kinds = await offeredKinds(client, name)
    process.stdout.write(
      `${kinds.length} ${kinds.length === 1 ? 'kind' : 'kinds'}${kinds[0] === undefined ? '' : ` in the group ${kinds[0].group}`}\n`,
    )
    const asked = options.activate ?? (kinds.length <= SMALL ? ['*'] : [])
    if (asked.length > 0 && kinds.length > 0) return activateKinds(cluster, { name, kinds, asked, timeoutMs: options.timeout })
    process.stdout.write(`activate those that you need: weft provider activate ${name} KIND…; weft provider kinds ${name} lists them\n`)
    return 0
  })
}

/** The server reads a file by itself, from wherever it runs: so its path in full. */
function sourceText(text: string, source: ProviderSource): string {
  if (source.path === undefined) return formatProviderSource(source)
  const path = resolve(source.path)
  return text.includes('?from=') ? formatProviderSource({ ...source, path }) : path
}

function nameOf({ address: { namespace, type } }: ProviderSource): string {
  const word = namespace === 'hashicorp' || namespace === 'local' ? type : `${namespace}-${type}`
  return `terraform-${word.replaceAll('_', '-')}`
}
