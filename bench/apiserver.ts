// `npm run bench -- apiserver`: Weft's API server beside kube-apiserver + etcd, on this machine, in this run.
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { scenarios } from './apiserver/scenarios.ts'
import { Bench, type Row } from './bench.ts'
import { startGenerator } from './load/generator-process.ts'
import { format, header, summarize, writeResults } from './report.ts'
import { kubernetesMissing, startKubernetes } from './systems/kubernetes.ts'
import { startWeft } from './systems/weft.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    kubernetes: { type: 'boolean', default: true },
    profile: { type: 'string' },
    requests: { type: 'string' },
  },
  allowNegative: true,
})
/** So many of each instead of as many as a time allows. */
const fixed = values.requests === undefined ? undefined : Number(values.requests)
const rounds = (): string =>
  fixed === undefined
    ? `the best of ${values.quick ? '2 short rounds' : '4 rounds'}`
    : `${fixed.toLocaleString('en')} requests of each, once`
const print = (text: string): unknown => process.stdout.write(`${text}\n`)

const wanted = values.only?.split(',')
const chosen = scenarios.filter(({ name }) => wanted === undefined || wanted.includes(name))
if (chosen.length === 0) {
  print(`no such scenario; there are: ${scenarios.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const missing = values.kubernetes ? await kubernetesMissing() : 'not asked for'
if (missing !== undefined) print(`without kube-apiserver + etcd: ${missing}`)
print(`${availableParallelism()} cores, shared by the server and the load generator; HTTPS, service-account token, RBAC; ${rounds()}`)

const generator = startGenerator()
const systems = [await startWeft({ profile: values.profile }), ...(missing === undefined ? [await startKubernetes()] : [])]
const rows: Row[] = []
print(header())
const onRow = (row: Row): void => {
  rows.push(row)
  print(format(row))
}
const start = { weft: () => startWeft(), ...(missing === undefined && { kubernetes: startKubernetes }) }
const bench = new Bench({ quick: values.quick, fixed, generator, systems, start, onRow })
try {
  for (const scenario of chosen) {
    bench.scenario = scenario.name
    await scenario.run(bench)
  }
} finally {
  for (const system of systems) await system.stop()
  generator.stop()
}
const folder = join(dirname(fileURLToPath(import.meta.url)), 'results')
const missed = rows.map(summarize).filter(({ met }) => met === false)
print(
  `${rows.length} measurements, ${missed.length} goals missed; written to ${writeResults(folder, 'apiserver', rows, { quick: values.quick })}`,
)
