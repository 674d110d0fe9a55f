// Runs every tier that this machine can run, and says at the end what ran.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './setup.mjs'

const reports = mkdtempSync(join(tmpdir(), 'weft-ci-'))
const tiers = []
/** What failed, at least once, in the order of the tiers: said again at the end, where whoever reads only the last lines finds it. */
const failures = []
const flakes = []
let passed = 0
let failed = 0

function tier(name, command, { counted = false } = {}) {
  process.stdout.write(`\n=== ${name}\n`)
  const begun = Date.now()
  const report = join(reports, `${tiers.length}.json`)
  const args = counted
    ? [...command.slice(1), '--reporter=default', '--reporter=./test/retried.reporter.ts', '--reporter=json', `--outputFile=${report}`]
    : command.slice(1)
  const { status } = spawnSync(command[0], args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  const counts = counted && existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
  const good = counts?.numPassedTests ?? (status === 0 ? 1 : 0)
  // A run that failed without a failing test (a crash, an unhandled rejection) still counts as a failure.
  const bad = Math.max(counts?.numFailedTests ?? 0, status === 0 ? 0 : 1)
  passed += good
  failed += bad
  failures.push(...failuresOf(name, counts, 'failed'))
  // Where a tier tries again, what passed then is said all the same: its cause has to be found.
  flakes.push(...failuresOf(name, counts, 'passed'))
  tiers.push(`${bad === 0 ? 'ok  ' : 'FAIL'} ${name}: ${good} passed, ${bad} failed, ${Math.round((Date.now() - begun) / 1000)} s`)
}

/** Vitest's report in a few lines for each failed test: where, and the first words of why. */
function failuresOf(name, counts, ended) {
  return (counts?.testResults ?? []).flatMap(({ name: file, message, assertionResults }) => {
    const tests = assertionResults.filter(({ status, failureMessages }) => status === ended && (failureMessages?.length ?? 0) > 0)
    const said = tests.map(({ fullName, failureMessages }) => `${fullName}\n${indented(failureMessages.at(-1) ?? '')}`)
    // A file that could not be loaded has no tests, only a message.
    if (ended === 'failed' && assertionResults.length === 0 && message) said.push(indented(message))
    return said.map((text) => `${name}: ${relative(root, file)}: ${text}`)
  })
}

const indented = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .slice(0, 25)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n')

function skip(name, why) {
  tiers.push(`skip ${name}: ${why}`)
}

// On every platform: a package that the registry has not for one of them fails there only.
for (const [os, cpu] of [
  ['linux', 'x64'],
  ['darwin', 'arm64'],
  ['win32', 'x64'],
])
  tier(`npm ci on ${os} ${cpu}`, [
    'npm',
    'ci',
    '--dry-run',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `--os=${os}`,
    `--cpu=${cpu}`,
  ])
tier('npm test', ['npm', 'test', '--silent', '--'], { counted: true })
tier('attacks', ['npm', 'test', '--silent', '--', '--project', 'attack'], { counted: true })
tier('npm run verify', ['npm', 'run', '--silent', 'verify'])
// The same seed every time: whether a change lands must not be a matter of luck. Other seeds are for `npm run fuzz` by hand.
tier('random input for two minutes', ['npm', 'run', '--silent', 'fuzz', '--', '--minutes', '2', '--seed', '20261115'])
const { clientTier } = await import('../test/clients/tier.mjs')
const clients = await clientTier().catch((error) => ({ skipped: error.message }))
if (clients.skipped === undefined) tier('real clients', ['npm', 'test', '--silent', '--', '--project', 'clients'], { counted: true })
else skip('real clients', clients.skipped)
for (const missing of clients.missing ?? []) skip('one of the real clients', missing)

const { registryTier } = await import('../test/registry/tier.mjs')
const registry = await registryTier().catch((error) => ({ skipped: error.message }))
if (registry.skipped === undefined) tier('real registry', ['npm', 'test', '--silent', '--', '--project', 'registry'], { counted: true })
else skip('real registry', registry.skipped)

const { browserTier } = await import('../test/browser/tier.mjs')
const browser = browserTier()
if (browser.skipped === undefined)
  tier('web console in a browser', ['npm', 'test', '--silent', '--', '--project', 'browser'], { counted: true })
else skip('web console in a browser', browser.skipped)

const { kubernetesTier } = await import('../test/kubernetes/tier.mjs')
const kubernetes = await kubernetesTier().catch((error) => ({ skipped: error.message }))
if (kubernetes.skipped === undefined) {
  tier('real Kubernetes', ['npm', 'test', '--silent', '--', '--project', 'kubernetes'], { counted: true })
  tier('the same answers as kube-apiserver', ['npm', 'test', '--silent', '--', '--project', 'differential'], { counted: true })
} else {
  skip('real Kubernetes', kubernetes.skipped)
  skip('the same answers as kube-apiserver', kubernetes.skipped)
}
for (const missing of kubernetes.missing ?? []) skip('a part of real Kubernetes', missing)

rmSync(reports, { recursive: true, force: true })
if (flakes.length > 0) process.stdout.write(`\n=== what passed only when tried again\n${flakes.join('\n')}\n`)
if (failures.length > 0) process.stdout.write(`\n=== what failed\n${failures.join('\n')}\n`)
process.stdout.write(`\n${tiers.join('\n')}\n${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
