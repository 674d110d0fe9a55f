// `npm run bench -- terraform`: a Terraform provider of the size of the largest (1,104 types, 395 data sources) is added, a few of its kinds are activated;
// the same with the real azurerm where that is built (`node test/published-providers/build.mjs azurerm`). Then small things, against OpenTofu.
// Counts and ratios are what to compare between runs; seconds are those of this machine.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ControlPlaneOptions, startControlPlane } from '@weft/controlplane'
import { ensurePublishedProvider } from '../test/published-providers/build.mjs'
import { type Added, addProvider } from './terraform/adding.ts'
import { againstTofu } from './terraform/against-tofu.ts'
import { largeProvider } from './terraform/large-provider.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, profile: { type: 'string' } } })
const [RESOURCES, DATA_SOURCES] = values.quick ? [110, 40] : [1_104, 395]

/** In a control plane of its own. */
async function added(what: Added, options: Pick<ControlPlaneOptions, 'packagePaths' | 'terraformPrograms'>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'weft-bench-'))
  const plane = await startControlPlane({
    ...options,
    dataDir: join(home, 'data'),
    providers: [],
    providerExecutables: true,
    log: () => {},
  })
  try {
    await addProvider(plane, what)
  } finally {
    await plane.stop(0)
    await rm(home, { recursive: true, force: true })
  }
}

const programs = await mkdtemp(join(tmpdir(), 'weft-bench-'))
const program = join(programs, 'terraform-provider-bench')
await writeFile(program, 'a program')
const schema = largeProvider(RESOURCES, DATA_SOURCES)
await added(
  { name: 'bench', package: `terraform:${program}`, group: 'bench.local.tf.weft.dev' },
  {
    packagePaths: [programs],
    terraformPrograms: {
      askSchema: () => Promise.resolve(Buffer.from('schema')),
      readSchema: () => schema,
      connector: () => {
        throw new Error('no resource is made here')
      },
      release: () => Promise.resolve(),
      preview: () => Promise.reject(new Error('nothing is planned here')),
      upgradeStates: () => Promise.resolve([]),
      close: () => Promise.resolve(),
    },
  },
)
await rm(programs, { recursive: true, force: true })

const azurerm = await ensurePublishedProvider('azurerm')
if ('skipped' in azurerm) process.stderr.write(`the real azurerm is not added: ${azurerm.skipped}\n`)
else
  await added(
    { name: 'azurerm', package: `terraform:hashicorp/azurerm@4.0.0?from=${azurerm.program}`, group: 'azurerm.tf.weft.dev' },
    { packagePaths: [dirname(azurerm.program)] },
  )
await againstTofu(values.quick ? 100 : 1_000, values.profile)
