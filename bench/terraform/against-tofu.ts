import { ensureOpenTofu } from '../../test/opentofu/build.mjs'
import { ensureTerraformProviders } from '../../test/terraform/build.mjs'
import { Figures } from '../plane/figures.ts'
import type { Cost } from './measured.ts'
import { withTofu } from './with-tofu.ts'
import { withWeft } from './with-weft.ts'

/** Small things of a provider made and removed by OpenTofu and by Weft, on the same machine, one after the other. */
export async function againstTofu(count: number, profile?: string): Promise<void> {
  const [built, tofu] = [await ensureTerraformProviders(), await ensureOpenTofu()]
  if ('skipped' in built || 'skipped' in tofu) {
    process.stderr.write(
      `there is nothing to compare with: ${'skipped' in built ? built.skipped : 'skipped' in tofu ? tofu.skipped : ''}\n`,
    )
    return
  }
  const figures = new Figures('terraform')
  const each = ({ seconds, cpuSeconds }: Cost): Record<string, number> => ({
    'ms each': (seconds * 1000) / count,
    'CPU ms each': (cpuSeconds * 1000) / count,
  })
  const theirs = withTofu(tofu.tofu, built.framework, count)
  const ours = await withWeft(built.framework, count, profile)
  for (const step of ['create', 'destroy'] as const) {
    figures.add({ label: `${count.toLocaleString('en')} things, ${step}: OpenTofu`, values: each(theirs[step]) })
    figures.add({ label: `${count.toLocaleString('en')} things, ${step}: Weft`, values: each(ours[step]) })
    figures.add({
      label: `Weft / OpenTofu, ${step}`,
      values: { time: ours[step].seconds / theirs[step].seconds, CPU: ours[step].cpuSeconds / theirs[step].cpuSeconds },
    })
  }
  figures.end()
}
