// Makes the chart as Helm keeps charts in registries: `helm install weft oci://REGISTRY/weft`.
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { parse } from 'yaml'
import { root } from '../setup.mjs'
import { writeLayout } from './oci-layout.mjs'

const compress = promisify(gzip)

/** @returns {Promise<string>} the folder */
export async function packChart(target) {
  const chart = join(root, 'deploy', 'chart')
  const metadata = parse(await readFile(join(chart, 'Chart.yaml'), 'utf8'))
  await writeLayout(target, {
    tag: metadata.version,
    config: { mediaType: 'application/vnd.cncf.helm.config.v1+json', bytes: Buffer.from(JSON.stringify(metadata)) },
    layers: [{ mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip', bytes: await archiveOf(chart, metadata.name) }],
  })
  return target
}

async function archiveOf(chart, name) {
  const archive = pack()
  const entries = await readdir(chart, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.toSorted()) {
    const path = file.slice(chart.length + 1)
    archive.entry({ name: `${name}/${path.split(sep).join('/')}`, mode: 0o644, mtime: new Date(0) }, await readFile(file))
  }
  archive.finalize()
  const chunks = []
  for await (const chunk of archive) chunks.push(chunk)
  return await compress(Buffer.concat(chunks))
}
