import type { KubeObject } from '@weft/api'
import { compositeDefinition, eventually, pipelineComposition } from '@weft/testing'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyWhenServed } from './apply-example.ts'
import { type ConsoleWorld, signInWithToken, startConsoleWorld } from './console-world.ts'

/** What is long, or many, or seen on a small screen, stays readable. */
const FLEETS = 'platform.example.org/fleetrequirements'
const QUOTA = `Quota CPUS exceeded: limit 24 in region us-west2, requested 96. ${'Ask the owner of the project for more. '.repeat(12)}`

let world: ConsoleWorld
let page: Page
beforeAll(async () => {
  world = await startConsoleWorld()
  for (const object of [definition, publication, composition('sixty', 60), composition('short', 3, QUOTA)])
    await applyWhenServed(world.client, object)
  await applyWhenServed(world.client, fleet('stuck', 'short'))
  await world.client.apply(fleet('another-one-that-is-stuck', 'short'))
  ;({ page } = await world.openAsAdministrator())
})
afterAll(() => world?.stop())

async function open(path: string, width = 1280): Promise<void> {
  await page.setViewportSize({ width, height: 844 })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

const boxOf = async (what: Locator): Promise<{ readonly y: number; readonly height: number }> => {
  const box = await what.boundingBox()
  if (box === null) throw new Error('not drawn')
  return box
}

const rightOf = async (what: Locator): Promise<number> => {
  const box = await what.boundingBox()
  if (box === null) throw new Error('not drawn')
  return box.x + box.width
}

/** The end of a text of which the middle may be missing, when nothing cuts it off. */
async function endInSight(cell: Locator): Promise<string> {
  const tail = cell.locator('.middle-tail')
  expect(await rightOf(tail)).toBeLessThanOrEqual(await rightOf(cell))
  return tail.innerText()
}

const isInView = async (what: Locator): Promise<boolean> => {
  const { y, height } = await boxOf(what)
  return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0)
}

it('a plan of sixty objects is folded, and the button that carries it out stays in view, folded or not', async () => {
  await open(`/new/${FLEETS}`)
  await page.getByLabel('Name *', { exact: true }).fill('big')
  await page.getByRole('button', { name: 'Preview' }).click()
  const planned = page.getByRole('list', { name: 'Planned changes' }).locator(':scope > li')
  await planned.first().waitFor()
  const create = page.getByRole('button', { name: 'Create', exact: true })
  expect(await planned.count()).toBeLessThan(10)
  expect(await isInView(create)).toBe(true)
  await page.getByRole('button', { name: /^Show \d+ more$/ }).click()
  await eventually(async () => expect(await planned.count()).toBe(62))
  await page.evaluate('scrollTo(0, 0)')
  expect(await isInView(create)).toBe(true)
})

it.each([390, 1280])(
  'what would go with sixty objects is folded too, and the button that deletes them stays in view, at a width of %i',
  async (width) => {
    await applyWhenServed(world.client, fleet('sixty-of-them', 'sixty'))
    await open(`/objects/${FLEETS}/team-a/sixty-of-them`)
    await page.getByText('60 ready', { exact: true }).waitFor({ timeout: 60_000 })
    await page.setViewportSize({ width, height: 844 })
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Show \d+ more$/ }).click()
    await eventually(async () =>
      expect(await dialog.getByRole('list', { name: 'Planned changes' }).locator(':scope > li').count()).toBe(62),
    )
    expect(await isInView(dialog.getByRole('button', { name: 'Delete', exact: true }))).toBe(true)
    expect(await isInView(dialog.getByRole('button', { name: 'Cancel' }))).toBe(true)
    await page.keyboard.press('Escape')
  },
)

it('a form names the default composition, marks what it does not use, and asks nothing of optional objects that nobody began', async () => {
  await open(`/new/${FLEETS}`)
  const choice = page.getByLabel('Composition', { exact: true })
  await eventually(async () => expect(await choice.locator('option').first().innerText()).toBe('The default: sixty'))
  await eventually(async () =>
    expect(await page.getByLabel('Cost center').locator('xpath=..').innerText()).toContain('the composition sixty does not use this field'),
  )
  expect(await page.getByLabel('Size').locator('xpath=..').innerText()).not.toContain('does not use')
  // Of an object that is not there, a required field is not required.
  const owner = page.getByRole('group', { name: 'Owner' }).getByLabel('Mail')
  expect(await owner.getAttribute('required')).toBeNull()
  await page.getByRole('group', { name: 'Owner' }).getByLabel('Room').fill('4')
  expect(await owner.getAttribute('required')).not.toBeNull()
})

it('a composite resource in a namespace is asked for like anything else: it is in the catalogue, and its form has its own fields and compositions', async () => {
  for (const object of [appDefinition, appComposition]) await applyWhenServed(world.client, object)
  await open('/catalogue')
  const tile = page.getByRole('region', { name: 'What you can ask for' }).getByRole('listitem').filter({ hasText: 'platform.example.com' })
  // What it is made by is not installed, and that is told before anybody waits for it.
  await tile.getByText('The function function-that-is-missing is not installed.').waitFor({ timeout: 60_000 })
  await tile.getByRole('link', { name: 'New App' }).click()
  await page.getByLabel('Image').fill('nginx')
  const choice = page.getByLabel('Composition', { exact: true })
  await eventually(async () => expect(await choice.locator('option').allInnerTexts()).toEqual(['Any that fits', 'apps (Composition)']))
  await choice.selectOption({ label: 'apps (Composition)' })
  expect(await page.getByText('No class exists').count()).toBe(0)
  expect(await page.getByText('Resource refs').count()).toBe(0)
  const yaml = page.getByRole('textbox', { name: 'YAML of what you are creating' })
  await eventually(async () => expect(await yaml.innerText()).toMatch(/image: nginx\s+crossplane:\s+compositionRef:\s+name: apps/))
})

it('the object that is looked at beside the graph stays in sight', async () => {
  await open(`/objects/${FLEETS}/team-a/stuck`)
  const graph = page.getByRole('group', { name: 'Graph of relations' })
  const external = graph.locator('.node-external').first()
  await external.waitFor({ timeout: 60_000 })
  await graph
    .getByRole('link', { name: /NopResource/ })
    .first()
    .click()
  await page.getByRole('complementary').getByRole('link', { name: 'Open its page' }).waitFor()
  await eventually(async () => {
    const [frame, node] = [await graph.boundingBox(), await external.boundingBox()]
    expect((node?.x ?? 0) + (node?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0))
  })
})

it('what is not there leads to what is', async () => {
  await open(`/objects/${FLEETS}/team-a/never-made`)
  await page.getByText('There is no FleetRequirement team-a/never-made').waitFor()
  await page.getByRole('link', { name: 'Show existing objects' }).click()
  await page.getByRole('link', { name: 'team-a/stuck' }).waitFor()
})

it('a function that cannot be installed is failing, where it is listed and where the health of providers is', async () => {
  const fn = {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    metadata: { name: 'never-fetched' },
    spec: { package: './no-such-package.xpkg' },
  }
  await world.client.apply(fn as KubeObject)
  await open('/')
  const health = page.getByRole('region', { name: 'Providers and functions' })
  await health.getByRole('listitem').filter({ hasText: 'never-fetched' }).getByText('Failing').waitFor({ timeout: 60_000 })
  await health.getByRole('link', { name: 'never-fetched' }).click()
  await page.locator('.headline').getByText('Failing').waitFor()
  await world.client.delete({ group: 'pkg.crossplane.io', kind: 'Function' }, { name: 'never-fetched' })
})

it.each([390, 820, 1440])('long reasons leave a list its rows, at a width of %i', async (width) => {
  await open(`/kinds/${FLEETS}`, width)
  const rows = page.getByRole('row', { name: /stuck/ })
  await eventually(async () => expect(await rows.filter({ hasText: 'Quota CPUS' }).count()).toBe(2), { timeoutMs: 60_000 })
  for (const row of await rows.all()) expect((await boxOf(row)).height).toBeLessThan(120)
  expect(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(true)
})

it('of a list with long names, siblings differ and all columns are in sight on a small laptop', async () => {
  const long = 'orders-and-payments-of-the-whole-european-region-in-production'
  for (const end of ['one', 'two']) await applyWhenServed(world.client, fleet(`${long}-${end}`, 'short'))
  await open(`/kinds/${FLEETS}`, 1024)
  const rows = page.getByRole('row', { name: long })
  const resources = rows.locator('td.column')
  await eventually(async () => expect((await resources.allInnerTexts()).filter((text) => text !== '')).toHaveLength(2), {
    timeoutMs: 60_000,
  })
  // What is left out is in the middle: their ends are what they differ in.
  const ends = await Promise.all((await resources.all()).map(endInSight))
  expect(new Set(ends).size).toBe(2)
  expect(await rightOf(page.getByRole('columnheader', { name: 'Created' }))).toBeLessThanOrEqual(1024 - 20)
})

it('a namespace with a long name makes no filter wider than a phone', async () => {
  const namespace = 'a-team-whose-name-is-about-as-long-as-names-of-namespaces-may-be'.slice(0, 63)
  await world.client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  await applyWhenServed(world.client, { ...fleet('there', 'short'), metadata: { namespace, name: 'there' } })
  await open(`/kinds/${FLEETS}`, 390)
  const filter = page.getByRole('combobox').filter({ hasText: namespace })
  expect(await rightOf(filter)).toBeLessThanOrEqual(390 - 20)
})

it('on a phone the numbers of the overview are in sight, and those that say nothing are not', async () => {
  await open('/', 390)
  const kinds = page.getByRole('region', { name: 'By kind and state' })
  const row = kinds.locator('tr', { hasText: 'FleetRequirement' })
  await row
    .getByText(/^[2-9]$/)
    .first()
    .waitFor({ timeout: 60_000 })
  for (const cell of await row.locator('td:visible').all()) expect(await rightOf(cell)).toBeLessThanOrEqual(390 - 20)
  expect(await row.locator('td:visible').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-title')))).not.toContain(
    'Deleting',
  )
  const controllers = page.getByRole('region', { name: 'Controllers' })
  const busy = controllers.locator('tr', { hasText: 'composite/fleets' })
  await busy.waitFor({ timeout: 60_000 })
  expect(await rightOf(busy.locator('td[data-title="Average"]'))).toBeLessThanOrEqual(390 - 20)
})

it.each([
  { width: 390, most: 100 },
  { width: 820, most: 100 },
  { width: 1280, most: 60 },
])('the bar is no higher than $most at a width of $width', async ({ width, most }) => {
  await open('/packages', width)
  expect((await boxOf(page.getByRole('banner'))).height).toBeLessThanOrEqual(most)
})

it.each([390, 820])('at a width of %i all that can be done to a package is in sight', async (width) => {
  await open('/packages', width)
  const uninstall = page.getByRole('button', { name: 'Uninstall provider-nop' })
  await uninstall.waitFor()
  const box = await uninstall.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
})

it('on a small screen the rows of a long table are cards, with room for their words', async () => {
  await open(`/objects/${FLEETS}/team-a/stuck?view=fields`, 390)
  const field = page.getByRole('region', { name: 'Where fields come from' }).getByText('spec.size', { exact: true }).first()
  await field.waitFor()
  expect((await boxOf(field)).height).toBeLessThan(30)
  await open('/packages', 390)
  const details = page.getByRole('region', { name: 'Managed kinds' }).getByText('serverCACertificateCert').first()
  await details.waitFor()
  const box = await details.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
})

it('a cause that is a page long begins on the overview, and is shown whole when asked for', async () => {
  await open('/', 390)
  const cause = page
    .getByRole('list', { name: 'Objects that are not ready, by cause' })
    .locator('.cause')
    .filter({ hasText: 'Quota CPUS' })
    .first()
  await cause.waitFor({ timeout: 60_000 })
  expect((await cause.innerText()).length).toBeLessThan(350)
  await cause.getByRole('button', { name: 'Show all' }).click()
  expect((await cause.innerText()).length).toBeGreaterThan(500)
})

it('a tree says a reason once, where it arises; long ones are shown whole when asked for', async () => {
  await open(`/objects/${FLEETS}/team-a/stuck`)
  await page.getByText('Tree', { exact: true }).click()
  const items = page.getByRole('treeitem')
  const reasons = items.filter({ hasText: 'Quota CPUS' })
  await eventually(async () => expect(await reasons.count()).toBeGreaterThan(0), { timeoutMs: 60_000 })
  expect(await reasons.filter({ hasText: 'FleetRequirement' }).count()).toBe(0)
  const conditions = page.getByRole('region', { name: 'Conditions' })
  expect((await conditions.innerText()).length).toBeLessThan(800)
  await conditions.getByRole('button', { name: 'Show all' }).first().click()
  expect((await conditions.innerText()).length).toBeGreaterThan(500)
})

it('a graph of many nodes begins readable at the object of the page, with all of it small beside it', async () => {
  await applyWhenServed(world.client, fleet('sixty-of-them', 'sixty'))
  await open(`/objects/${FLEETS}/team-a/sixty-of-them`)
  await page.getByText('60 ready', { exact: true }).waitFor({ timeout: 60_000 })
  await page.getByLabel('Fold alike').uncheck()
  await page.getByLabel('Map of the whole graph').waitFor()
  const graph = await page.getByRole('group', { name: 'Graph of relations' }).boundingBox()
  const own = page.locator('.focused .node')
  await eventually(async () => {
    const box = await own.boundingBox()
    expect(box?.height).toBeGreaterThan(25)
    expect((box?.y ?? 0) - (graph?.y ?? 0)).toBeGreaterThan(0)
    expect((box?.y ?? 0) - (graph?.y ?? 0)).toBeLessThan(graph?.height ?? 0)
  })
})

it('of a list of many, names differ and states are in sight on a small screen', async () => {
  for (const name of ['sixty-of-them', 'sixty-of-those', 'sixty-of-others', 'sixty-more'])
    await applyWhenServed(world.client, fleet(name, 'sixty'))
  await open('/kinds/nop.crossplane.io/nopresources', 390)
  await page.getByText(/^2[45]\d objects$/).waitFor({ timeout: 120_000 })
  const row = page.getByRole('row', { name: /team-a-sixty-/ }).first()
  await row.waitFor()
  const state = await row.locator('.state').boundingBox()
  expect((state?.x ?? 0) + (state?.width ?? 0)).toBeLessThanOrEqual(390)
  const name = (await row.getByRole('link').getAttribute('aria-label')) ?? ''
  const tail = await row.locator('.middle-tail').boundingBox()
  expect(await row.locator('.middle-tail').innerText()).toBe(name.slice(-9))
  expect((tail?.x ?? 0) + (tail?.width ?? 0)).toBeLessThanOrEqual(state?.x ?? 0)
})

it('a composition of many resources is folded, one of few is not', async () => {
  const opened = page.locator('details.template[open]')
  await open('/objects/apiextensions.crossplane.io/compositions/-/short')
  await eventually(async () => expect(await opened.count()).toBe(3))
  await open('/objects/apiextensions.crossplane.io/compositions/-/sixty')
  await eventually(async () => expect(await page.locator('details.template').count()).toBe(60))
  expect(await opened.count()).toBe(0)
})

it('the page of a provider says where it is from, which kinds it brings, and offers what can be done with it', async () => {
  await open('/objects/pkg.crossplane.io/providers/-/provider-nop')
  await page.getByRole('region', { name: 'Package' }).getByText('bundled:nop').waitFor()
  await page.getByRole('button', { name: 'Uninstall provider-nop' }).waitFor()
  const place = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]')
  expect(await place.allInnerTexts()).toEqual(['Packages and kinds'])
  const kinds = page.getByRole('region', { name: /^Kinds that it brings/ })
  await kinds.getByRole('link', { name: 'NopResource', exact: true }).waitFor()
  expect(await kinds.innerText()).not.toContain('CloudSQLInstance')
  await kinds.getByRole('row', { name: 'NopResource' }).getByText('default').waitFor()
  // Where groups have kinds of one name, it says which is which.
  await open('/objects/pkg.crossplane.io/providers/-/provider-gcp')
  const clusters = kinds.getByRole('row', { name: 'GKECluster' })
  await eventually(async () => expect(await clusters.count()).toBe(2))
  await clusters.filter({ hasText: 'compute.gcp.crossplane.io' }).waitFor()
  await clusters.filter({ hasText: 'container.gcp.crossplane.io' }).waitFor()
})

it('where fields come from is told of fields that somebody set, not of what the server counts', async () => {
  await open(`/objects/${FLEETS}/team-a/stuck?view=fields`)
  const table = page.getByRole('region', { name: 'Where fields come from' })
  await table.getByText('spec.size').first().waitFor()
  expect(await table.innerText()).not.toMatch(/managedFields|resourceVersion/)
})

it('the catalogue describes what was published in the words of its definition, and counts only what has come', async () => {
  await open('/catalogue')
  await page.getByText('Machines for batch work.').first().waitFor()
  const classes = page.getByRole('heading', { name: /^Classes/ })
  await eventually(async () => expect(await classes.innerText()).toMatch(/^Classes\s+3$/))
})

it('who works in one namespace sees every member of their requirement, however many, and reloads each of them', async () => {
  await applyWhenServed(world.client, fleet('sixty-of-them', 'sixty'))
  const verbs = ['get', 'list', 'watch']
  const token = await world.tokenFor('grace', 'team-a', [{ apiGroups: ['platform.example.org'], resources: ['*'], verbs }])
  const window = await world.open()
  await signInWithToken(window, token)
  await window.page.goto(`/objects/${FLEETS}/team-a/sixty-of-them`)
  await window.page.getByText('Tree', { exact: true }).click()
  const members = window.page.getByRole('treeitem').filter({ hasText: 'NopResource' })
  await members.filter({ hasText: '60 ready' }).waitFor({ timeout: 60_000 })
  await window.page.getByLabel('Fold alike').uncheck()
  await eventually(async () => expect(await members.filter({ hasText: 'Ready' }).count()).toBe(60))
  // Of those that may not be listed either, the page of one is found by its address.
  await members.getByRole('link').last().click()
  await window.page.getByRole('heading', { level: 1 }).waitFor()
  await window.page.reload()
  await window.page.locator('.headline').waitFor()
  // All of the kind they may still not see, and the page of the kind says so.
  await window.page.goto('/kinds/nop.crossplane.io/nopresources')
  await window.page.getByText('You may not list NopResource objects').waitFor()
  await window.context.close()
})

it('who works in one namespace says so at the door, and is called by name', async () => {
  const verbs = ['get', 'list', 'watch', 'create']
  const token = await world.tokenFor('ada', 'team-a', [{ apiGroups: ['platform.example.org'], resources: ['*'], verbs }])
  const window = await world.open()
  await window.page.goto(`/kinds/${FLEETS}`)
  await window.page.getByLabel('Token').fill(token)
  await window.page.getByLabel('Namespace').fill('team-a')
  await window.page.getByRole('button', { name: 'Sign in' }).click()
  await window.page.getByRole('link', { name: 'team-a/stuck' }).waitFor()
  expect(await window.page.locator('.menu > summary').innerText()).toBe('ada')
  // What was made for it is seen by name, as the server lets them, though they may neither list nor watch it.
  await window.page.getByRole('link', { name: 'team-a/stuck' }).click()
  await window.page.getByText('Tree', { exact: true }).click()
  await window.page.getByRole('treeitem').filter({ hasText: 'NopResource' }).first().waitFor()
  await window.page.goBack()
  // The session knows it, so that it holds after a reload as well.
  await window.page.reload()
  await window.page.getByRole('link', { name: 'team-a/stuck' }).waitFor()
  const stranger = await world.open()
  await signInWithToken(stranger, token)
  await stranger.page.goto(`/kinds/${FLEETS}`)
  await stranger.page.getByText('If you have rights in one namespace, choose it at the top.').waitFor()
  await window.context.close()
  await stranger.context.close()
})

const APIEXTENSIONS = 'apiextensions.crossplane.io/v1alpha1'
const names = { kind: 'Fleet', listKind: 'FleetList', plural: 'fleets', singular: 'fleet' }

const definition: KubeObject = {
  apiVersion: APIEXTENSIONS,
  kind: 'InfrastructureDefinition',
  metadata: { name: 'fleets.platform.example.org', annotations: { 'kubernetes.io/description': 'Machines for batch work.' } },
  spec: {
    defaultComposition: { name: 'sixty' },
    crdSpecTemplate: {
      group: 'platform.example.org',
      version: 'v1alpha1',
      names,
      validation: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            size: { type: 'integer', default: 3 },
            costCenter: { type: 'string' },
            owner: { type: 'object', required: ['mail'], properties: { mail: { type: 'string' }, room: { type: 'string' } } },
          },
        },
      },
    },
  },
}

const publication: KubeObject = {
  apiVersion: APIEXTENSIONS,
  kind: 'InfrastructurePublication',
  metadata: { name: 'fleets.platform.example.org' },
  spec: { infrastructureDefinitionReference: { name: 'fleets.platform.example.org' } },
}

/** So many machines; with `why` they are never ready. */
function composition(name: string, machines: number, why?: string): KubeObject {
  const ready = { conditionType: 'Ready', time: '0s' }
  const condition =
    why === undefined
      ? { ...ready, conditionStatus: 'True' }
      : { ...ready, conditionStatus: 'False', conditionReason: 'QuotaExceeded', conditionMessage: why }
  const base = {
    apiVersion: 'nop.crossplane.io/v1alpha1',
    kind: 'NopResource',
    spec: { forProvider: { conditionAfter: [condition], fields: {} } },
  }
  const patches = [{ fromFieldPath: 'spec.size', toFieldPath: 'spec.forProvider.fields.size' }]
  return {
    apiVersion: APIEXTENSIONS,
    kind: 'Composition',
    metadata: { name, labels: { fleet: name } },
    spec: {
      from: { apiVersion: 'platform.example.org/v1alpha1', kind: 'Fleet' },
      to: Array.from({ length: machines }, () => ({ base, patches })),
    },
  }
}

const fleet = (name: string, from: string): KubeObject => ({
  apiVersion: 'platform.example.org/v1alpha1',
  kind: 'FleetRequirement',
  metadata: { namespace: 'team-a', name },
  spec: { infrastructure: { compositionSelector: { matchLabels: { fleet: from } } } },
})

const appDefinition = compositeDefinition({
  group: 'platform.example.com',
  kind: 'App',
  spec: { required: ['image'], properties: { image: { type: 'string' } } },
  more: { scope: 'Namespaced' },
})

const appComposition = pipelineComposition(
  'apps',
  { apiVersion: 'platform.example.com/v1', kind: 'App' },
  { step: 'compose', functionRef: { name: 'function-that-is-missing' } },
)
