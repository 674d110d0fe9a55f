import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { weft } from '../integration/weft-command.ts'

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const GIVEN = ['xr.yaml', 'composition.yaml', 'functions.yaml'].map(file)

test.each<[name: string, flags: readonly string[]]>([
  ['plain.expected.yaml', []],
  [
    'full.expected.yaml',
    [
      ...['--include-full-xr', '--include-function-results', '--include-context'],
      ...['--observed-resources', file('observed.yaml'), '--xrd', file('xrd.yaml')],
      ...['--context-files', `apiextensions.crossplane.io/environment=${file('environment.json')}`],
    ],
  ],
  ['full.expected.yaml', ['-x', '-r', '-c', '-o', file('observed.yaml'), '--xrd', file('xrd.yaml'), ...environment()]],
  ['plain.expected.yaml', ['--crossplane-version', 'v2.3.4', '--crossplane-docker-network', 'any', '--timeout', '1m']],
])('K117–K120 %s, to the byte, with %j', async (name, flags) => {
  const { output, code } = await weft('render', ...GIVEN, ...flags)
  expect(output).toBe(await readFile(file(name), 'utf8'))
  expect(code).toBe(0)
})

function environment(): readonly string[] {
  return ['--context-values', 'apiextensions.crossplane.io/environment={region: north, zones: [1, 2.5]}']
}

test('K120 the context that the pipeline ended with is shown', async () => {
  const { output } = await weft('render', ...GIVEN, '-c', '-a', 'example.org/any=thing')
  expect(output).toMatch(/\nfields:\n {2}apiextensions\.crossplane\.io\/environment:\n/)
})

test('K118 a folder without schemas is refused, and says what belongs there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-schemas-'))
  try {
    const { output, code } = await weft('render', ...GIVEN, '-s', folder)
    expect(code).toBe(1)
    expect(output).toContain('kubectl get --raw /openapi/v3/')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
