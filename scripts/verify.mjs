// `npm run verify`: every static gate. Each must show that it looked at something.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, root } from './setup.mjs'
import { verdictOf } from './verify/verdict.mjs'

ensureInstalled()
const bin = (name) => `node_modules/.bin/${name}`
const gates = [
  { name: 'types', command: [bin('tsc'), '-p', 'tsconfig.json', '--diagnostics'], proof: /^Files:\s+(\d+)/m, least: 1_000 },
  // The app runs in a browser: other globals, and JSX.
  {
    name: 'types of the console',
    command: [bin('tsc'), '-p', 'packages/console/src/app/tsconfig.json', '--diagnostics'],
    proof: /^Files:\s+(\d+)/m,
    least: 100,
  },
  { name: 'lint', command: [bin('oxlint'), '--type-aware', '--max-warnings=0'], proof: /on (\d+) files/, least: 100 },
  { name: 'format', command: [bin('oxfmt'), '--check'], proof: /on (\d+) files/, least: 100 },
  {
    name: 'boundaries',
    command: [bin('depcruise'), '--config', '.dependency-cruiser.mjs', 'packages', 'providers', 'test', 'bench'].filter(exists),
    proof: /\((\d+) modules/,
    least: 100,
  },
  { name: 'layers', command: ['node', 'scripts/layers.mjs'], proof: /on (\d+) files/, least: 500 },
  { name: 'manual', command: ['node', 'scripts/manual.mjs', '--check'], proof: /on (\d+) files/, least: 30 },
  { name: 'dead code', command: [bin('knip')] },
  { name: 'statements', command: ['node', 'scripts/behaviour.mjs', '--check'], proof: /(\d+) statements/, least: 150 },
]

function exists(part) {
  return !['providers', 'test', 'bench'].includes(part) || spawnSync('test', ['-d', part], { cwd: root }).status === 0
}

let failed = 0
for (const gate of gates) {
  const { name, command, least } = gate
  const [program, ...args] = command
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const output = `${stdout}${stderr}`
  const { good, seen } = verdictOf({ status, output }, gate)
  process.stdout.write(`${good ? 'ok  ' : 'FAIL'} ${name}${seen === undefined ? '' : ` (${seen} files)`}\n`)
  if (good) continue
  failed++
  process.stdout.write(`${output.slice(0, 20_000)}\n`)
  if (status === 0) process.stdout.write(`${name}: passed, but looked at ${seen} files; at least ${least} were expected\n`)
}
process.exitCode = failed === 0 ? 0 : 1
