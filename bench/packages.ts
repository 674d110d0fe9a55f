// `npm run bench -- packages`: how long a provider from an image takes from `weft package install` to Healthy, with nothing of it here and with its files here; then what Weft costs
// while ten such providers run and have nothing to do. The registry is in this process, on this machine. The image is Node with a program on the SDK: about 100 MB.
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startMemoryRegistry } from '../packages/xpkg/src/registry/memory-registry.fixture.ts'
import { programHome } from '../test/images/program-home.ts'
import { putProvider } from '../test/images/provider-package.ts'
import { weftWith } from '../test/integration/weft-command.ts'
import { startWeft, type WeftProcess } from '../test/weft-process.ts'
import { Figures } from './plane/figures.ts'
import { cpuSecondsOf } from './plane/process-cpu.ts'
import { ownBytes, residentBytes } from './systems/system.ts'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const ROUNDS = options.quick ? 1 : 3
const PROVIDERS = options.quick ? 3 : 10
const SETTLED_MS = options.quick ? 5_000 : 20_000
const WATCHED_MS = options.quick ? 5_000 : 60_000
const MEGABYTE = 1e6

if (process.platform !== 'linux' || process.getuid?.() !== 0) {
  process.stderr.write('this bench runs programs of images each as a user of its own: run it as root on Linux\n')
  process.exit(2)
}

const registry = await startMemoryRegistry()
const figures = new Figures('packages')
try {
  const images = await Promise.all(
    Array.from({ length: PROVIDERS }, (_, at) => putProvider(registry, { name: `provider-p${at}`, group: `p${at}.example.org` })),
  )
  await installs(images[0] as string)
  await atRest(images)
} finally {
  await registry.close()
}
process.exitCode = figures.end() ? 0 : 1

async function withWeft(act: (weft: WeftProcess) => Promise<void>): Promise<void> {
  const weft = await startWeft()
  try {
    await act(weft)
  } finally {
    const programs = await programHome(weft.dataDir)
    await weft.stop()
    await rm(programs, { recursive: true, force: true })
  }
}

async function command(weft: WeftProcess, ...args: readonly string[]): Promise<number> {
  const begun = performance.now()
  const { code, output } = await weftWith({}, ...args, '--data-dir', weft.dataDir)
  if (code !== 0) throw new Error(`weft ${args.join(' ')}: ${output}`)
  return performance.now() - begun
}

function install(weft: WeftProcess, image: string): Promise<number> {
  return command(weft, 'package', 'install', image, '--wait', '--timeout', '300s')
}

async function installs(image: string): Promise<void> {
  const [cold, warm]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++)
    await withWeft(async (weft) => {
      cold.push(await install(weft, image))
      await command(weft, 'delete', 'providers.pkg.crossplane.io', 'provider-p0')
      warm.push(await install(weft, image))
    })
  // The least disturbed one: whatever else runs on the machine only ever makes it worse.
  figures.add({ label: 'from install to Healthy', values: { 'cold ms': Math.min(...cold), 'warm ms': Math.min(...warm) } })
}

async function atRest(images: readonly string[]): Promise<void> {
  await withWeft(async (weft) => {
    const pid = weft.child.pid ?? 0
    const watch = async (label: string): Promise<void> => {
      await sleep(SETTLED_MS)
      const before = cpuSecondsOf(pid)
      await sleep(WATCHED_MS)
      const cpu = ((cpuSecondsOf(pid) - before) / WATCHED_MS) * 100_000
      figures.add({
        label,
        values: { MB: residentBytes([pid]) / MEGABYTE, 'own MB': ownBytes([pid]) / MEGABYTE, '% of a core': cpu },
      })
    }
    await watch('at rest, no provider from an image')
    const begun = performance.now()
    for (const image of images) await install(weft, image)
    figures.add({
      label: `${images.length} installed one after the other`,
      values: { 'ms each': (performance.now() - begun) / images.length },
    })
    await watch(`at rest, ${images.length} providers from images`)
  })
}
