// What the tier `kubernetes` needs: the real servers, and Helm. Run directly, prints what there is as JSON.
import { pathToFileURL } from 'node:url'
import { ensureHelm } from '../helm/build.mjs'
import { ensureKubernetes } from './build.mjs'

/** @returns {Promise<{skipped: string} | {missing: string[]}>} skipped: why nothing of the tier can run here; missing: what of it cannot */
export async function kubernetesTier() {
  const kubernetes = await ensureKubernetes()
  if ('skipped' in kubernetes) return kubernetes
  const helm = await ensureHelm()
  return { missing: 'skipped' in helm ? [`the chart: no Helm (${helm.skipped})`] : [] }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(JSON.stringify(await kubernetesTier(), undefined, 2))
