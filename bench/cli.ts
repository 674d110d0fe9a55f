// `npm run bench -- cli`: how long a person waits for commands, from the key to the prompt.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { weftWith } from '../test/integration/weft-command.ts'
import { startWeft } from '../test/weft-process.ts'
import { Figures } from './plane/figures.ts'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const TIMES = options.quick ? 3 : 10
const OBJECTS = options.quick ? 20 : 200

const figures = new Figures('cli')
const begun = performance.now()
const weft = await startWeft({ args: ['--provider', 'nop'] })
figures.add({ label: 'up, until it is ready', values: { ms: performance.now() - begun } })
const folder = await mkdtemp(join(tmpdir(), 'weft-bench-'))
const file = join(folder, 'objects.yaml')
const configMap = (i: number): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c-${i}}\ndata: {key: value}\n`
await writeFile(file, Array.from({ length: OBJECTS }, (_, i) => configMap(i)).join('---\n'))
try {
  await measure('--help', TIMES, ['--help'])
  await measure('get namespaces', TIMES, ['get', 'namespaces'])
  await measure('status', TIMES, ['status'])
  await measure(`apply, ${OBJECTS} objects that are new`, 1, ['apply', '-f', file])
  await measure(`apply, ${OBJECTS} objects that are there`, 1, ['apply', '-f', file])
  await measure(`diff, ${OBJECTS} objects that are there`, 1, ['diff', '-f', file])
} finally {
  await weft.stop()
  await rm(folder, { recursive: true })
}
process.exitCode = figures.end() ? 0 : 1

/** The middle one of several times. */
async function measure(label: string, times: number, args: readonly string[]): Promise<void> {
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    const { code, stderr } = await weftWith({ env: { KUBECONFIG: weft.kubeconfig } }, ...args)
    if (code !== 0) throw new Error(`weft ${args.join(' ')} ended with ${String(code)}:\n${stderr}`)
    taken.push(performance.now() - start)
  }
  taken.sort((a, b) => a - b)
  figures.add({ label, values: { ms: taken[Math.floor(taken.length / 2)] ?? 0 } })
}
