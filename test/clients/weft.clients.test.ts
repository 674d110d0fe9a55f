import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type CliWorld, startCliWorld, widget, WIDGET_DEFINITION } from '../integration/cli-world.ts'
import { type Kubectl, kubectl } from './kubectl.ts'
import { clientTier } from './tier.mjs'

const clients = await clientTier()
if ('skipped' in clients) throw new Error(`the tier was started on a machine that cannot run it: ${clients.skipped}`)

let world: CliWorld
beforeAll(async () => {
  world = await startCliWorld()
  const objects = [
    WIDGET_DEFINITION,
    'apiVersion: v1\nkind: Namespace\nmetadata: {name: toys}\n',
    widget('one', 3, ', labels: {a: b, c: d}'),
    widget('two-with-a-long-name', 12, ', labels: {a: b}, annotations: {example.org/note: "x: y"}'),
    widget('three', 7, ', namespace: toys'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: words}\ndata: {yes: "yes", number: "1", date: "2020-01-01", lines: "a\\nb\\n", empty: ""}\n',
    'apiVersion: v1\nkind: Secret\nmetadata: {name: hidden}\nstringData: {password: swordfish}\n',
  ]
  const { code, output } = await world.weftWithInput(objects.join('---\n'), 'apply', '-f', '-')
  expect(code, output).toBe(0)
})
afterAll(() => world.stop())

/** What the same words make of both, in text that may differ only in how old things are. */
const ageless = (text: string): string => text.replace(/\b(\d+[smhd]){1,2}\b/g, 'AGE').replace(/AGE +/g, 'AGE ')

/** Debian's is of 1.20 and prints otherwise. */
const current = clients.kubectls.filter(({ name }) => name.startsWith('kubectl '))

describe.each(current)('weft says what $name says', ({ path }) => {
  const real = (): Kubectl => kubectl(path, world.plane.kubeconfig, world.folder)

  it.each([
    ['get widgets'],
    ['get wd -o wide'],
    ['get widgets -A'],
    ['get widgets -A --no-headers'],
    ['get widgets --show-labels'],
    ['get widgets -L a,c'],
    ['get widget one'],
    ['get widget/one widget/two-with-a-long-name'],
    ['get widgets --sort-by=.spec.size'],
    ['get widgets -l a=b,c!=d'],
    ['get widgets -A --field-selector metadata.name=three'],
    ['get widgets,configmaps'],
    ['get configmap words'],
    ['get secrets'],
    ['get crd widgets.example.org'],
    ['get namespaces'],
    ['get mrd'],
    ['get widgets -A -o name'],
    ['get toys -n toys'],
    ['get widgets -o custom-columns=NAME:.metadata.name,SIZE:.spec.size,NONE:.metadata.nothing'],
    ['get widgets -o jsonpath={.items[*].metadata.name}'],
    ['get widgets -o jsonpath={range.items[*]}{.spec.size},{.metadata.labels}{"\\n"}{end}'],
    ['get widget one -o jsonpath={.spec}'],
    ['get widgets -A -o jsonpath={.items[?(@.spec.size>5)].metadata.name}'],
    ['get widgets --sort-by={.spec.size} -o jsonpath={.items[*].spec.size}'],
    ['get widget one -o json'],
    ['get widgets -o json'],
    ['get configmap words -o json --show-managed-fields'],
    ['api-resources --api-group=example.org -o name'],
    ['api-resources --api-group=example.org --no-headers'],
    ['wait widget/one --for=jsonpath={.spec.size}=3'],
  ])('%s', async (line) => {
    const args = line.split(' ').map((word) => word.replace('range.', 'range .'))
    const [expected, actual] = await Promise.all([real().run(args), world.weft(...args)])
    expect(actual.code).toBe(expected.code)
    expect(ageless(actual.stdout)).toBe(ageless(expected.stdout))
  })

  it.each([['get widget two-with-a-long-name -o yaml'], ['get configmap words -o yaml'], ['get widgets -A -o yaml']])(
    '%s, up to the style of quotes',
    async (line) => {
      const args = line.split(' ')
      const [expected, actual] = await Promise.all([real().ok(args), world.ok(...args)])
      expect(parse(actual, { version: '1.1' })).toEqual(parse(expected, { version: '1.1' }))
      // And kubectl reads it as it was meant.
      const { code, stderr } = await real().run(['replace', '--dry-run=server', '-f', '-'], { input: actual })
      expect(code, stderr).toBe(0)
    },
  )

  it.each([
    ['get widget nobody'],
    ['get nonsense'],
    ['get widgets -o jsonpath={.a'],
    ['get widget one two -o nonsense'],
    ['wait widget/one --for=jsonpath={.spec.size}=4 --timeout=100ms'],
    ['delete widget nobody'],
  ])('fails as it does: %s', async (line) => {
    const args = line.split(' ')
    const [expected, actual] = await Promise.all([real().run(args), world.weft(...args)])
    expect([actual.code, actual.stdout]).toEqual([expected.code, expected.stdout])
    expect(actual.stderr).toMatch(/^error: /)
  })
})

describe.each(clients.kubectls)('weft and $name', ({ path }) => {
  const real = (): Kubectl => kubectl(path, world.plane.kubeconfig, world.folder)

  it('leaves fields to each other', async () => {
    const mine = await world.weftWithInput(widget('shared', 1), 'apply', '-f', '-')
    expect(mine.code, mine.output).toBe(0)
    const theirs = await real().run(['apply', '--server-side', '-f', '-'], { input: widget('shared', 2) })
    expect(theirs.code).toBe(1)
    expect(theirs.stderr).toContain('weft-cli')
    await real().ok(['apply', '--server-side', '--force-conflicts', '-f', '-'], { input: widget('shared', 2) })
    const again = await world.weftWithInput(widget('shared', 3), 'apply', '-f', '-')
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('kubectl')
    await real().ok(['delete', 'widget', 'shared'])
  })
})
