import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KubeObject } from '@weft/api'
import { defineKind } from '@weft/client'
import { eventually, waitFor } from '@weft/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { applyExample, applyWhenServed } from './apply-example.ts'
import { seriousAxeFindings, type Window } from './chromium.ts'
import { type ConsoleWorld, startConsoleWorld } from './console-world.ts'
import { picture } from './pictures.ts'

const CLAIM = '/objects/database.crossplane.io/postgresqlinstances/team-a/ledger'
const WEBAPP = '/objects/apiextensions.crossplane.io/compositions/-/webapp'
const claims = defineKind({
  group: 'database.crossplane.io',
  version: 'v1alpha1',
  kind: 'PostgreSQLInstance',
  plural: 'postgresqlinstances',
  namespaced: true,
})

const compositionKind = defineKind({
  group: 'apiextensions.crossplane.io',
  version: 'v1',
  kind: 'Composition',
  plural: 'compositions',
  namespaced: false,
})

let world: ConsoleWorld
let window: Window
let page: Page
beforeAll(async () => {
  world = await startConsoleWorld()
  await applyExample(world.client, 'composition/definition.yaml', 'composition/compositions.yaml')
  const namespaced = ['definition', 'functions', 'role', 'composition', 'app']
  await applyExample(world.client, ...namespaced.map((file) => `crossplane-namespaced/${file}.yaml`))
  await applyWhenServed(world.client, {
    apiVersion: 'platform.example.org/v1alpha1',
    kind: 'MySQLDatabaseRequirement',
    metadata: { namespace: 'team-a', name: 'shop' },
    spec: { engineVersion: '5.7', storageGB: 20, infrastructure: { writeConnectionSecretToRef: { name: 'shop' } } },
  })
  await world.client.apply({
    apiVersion: 'database.crossplane.io/v1alpha1',
    kind: 'PostgreSQLInstance',
    metadata: { namespace: 'team-b', name: 'archive' },
    spec: { classSelector: { matchLabels: { where: 'archive' } }, writeConnectionSecretToRef: { name: 'archive' } },
  })
  // A real PostgreSQL server on this machine.
  await world.client.apply({
    apiVersion: 'database.crossplane.io/v1alpha1',
    kind: 'PostgreSQLInstance',
    metadata: { namespace: 'team-a', name: 'ledger' },
    spec: { classSelector: { matchLabels: { where: 'here' } }, writeConnectionSecretToRef: { name: 'ledger' } },
  })
  const isReady = (object: object | undefined): boolean => JSON.stringify(object).includes('"type":"Ready","status":"True"')
  await waitFor(world.client, claims, { namespace: 'team-a', name: 'ledger' }, (object) => object !== undefined && isReady(object), {
    timeoutMs: 120_000,
  })
  window = await world.openAsAdministrator()
  page = window.page
})
afterAll(() => world?.stop())

/** Opens it and waits until nothing is loading any more. */
async function open(path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await eventually(async () => expect(await page.getByText(/^Loading/).count()).toBe(0), { timeoutMs: 45_000 })
}

const PAGES: readonly { readonly name: string; readonly path: string }[] = [
  { name: 'overview', path: '/' },
  { name: 'catalogue', path: '/catalogue' },
  { name: 'packages and kinds', path: '/packages' },
  { name: 'a kind', path: '/kinds/database.crossplane.io/postgresqlinstances' },
  { name: 'a new claim', path: '/new/database.crossplane.io/postgresqlinstances' },
  { name: 'a new requirement', path: '/new/platform.example.org/mysqldatabaserequirements' },
  { name: 'a requirement', path: '/objects/platform.example.org/mysqldatabaserequirements/team-a/shop' },
  { name: 'a claim', path: CLAIM },
  { name: 'a claim as YAML', path: `${CLAIM}?view=yaml` },
  { name: 'where fields come from', path: `${CLAIM}?view=fields` },
  { name: 'a class', path: '/objects/postgresql.weft.dev/postgresqlserverclasses/-/here' },
  { name: 'a composition with a pipeline', path: WEBAPP },
  { name: 'a composite of functions', path: '/objects/app.example.org/webapps/default/shop' },
  {
    name: 'a definition of composite resources',
    path: '/objects/apiextensions.crossplane.io/compositeresourcedefinitions/-/webapps.app.example.org',
  },
  { name: 'a package', path: '/objects/pkg.crossplane.io/providers/-/provider-gcp' },
  { name: 'a composition', path: '/objects/apiextensions.crossplane.io/compositions/-/public-mysql' },
  { name: 'a definition', path: '/objects/apiextensions.crossplane.io/infrastructuredefinitions/-/mysqldatabases.platform.example.org' },
  { name: 'an object that is not there', path: '/objects/database.crossplane.io/postgresqlinstances/team-a/nothing' },
  { name: 'an address that is none', path: '/this/is/no/page' },
]

describe.each([
  { colours: 'light', viewport: { width: 1280, height: 800 } },
  { colours: 'dark', viewport: { width: 390, height: 844 } },
  { colours: 'dark', viewport: { width: 820, height: 1180 } },
] as const)('in $colours colours, $viewport.width pixels wide', ({ colours, viewport }) => {
  beforeAll(async () => {
    await page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
  })

  it.each(PAGES)('axe finds nothing serious on $name, and nothing is cut off', async ({ path }) => {
    await open(path)
    expect(await seriousAxeFindings(page)).toEqual([])
    // The page itself never scrolls sideways; what is wide scrolls in its own box.
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBeLessThanOrEqual(0)
  })

  it('axe finds nothing serious in dialogs', async () => {
    await open(CLAIM)
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByRole('list', { name: 'Planned changes' }).waitFor()
    expect(await seriousAxeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: 'Search objects and kinds' }).fill('ledger')
    await page.getByRole('option').first().waitFor()
    expect(await seriousAxeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
  })
})

it.each(['light', 'dark'] as const)('axe finds nothing serious where one signs in, in %s colours', async (colorScheme) => {
  const stranger = await world.open({ colorScheme })
  await stranger.page.goto('/')
  await stranger.page.getByLabel('Token').waitFor()
  expect(await seriousAxeFindings(stranger.page)).toEqual([])
  await stranger.context.close()
})

describe('what pages show', () => {
  beforeAll(async () => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('connection keys without their values, until somebody who may asks for one', async () => {
    const secret = await world.client.get({ group: '', kind: 'Secret' }, { namespace: 'team-a', name: 'ledger' })
    const password = Buffer.from((secret['data'] as Record<string, string>)['password'] ?? '', 'base64').toString()
    expect(password).not.toBe('')
    await open(CLAIM)
    const reveal = page.getByRole('button', { name: 'Reveal password' })
    await reveal.waitFor()
    expect(await page.content()).not.toContain(password)
    await reveal.click()
    await page.getByText(password).waitFor()
    await page.getByRole('button', { name: 'Hide password' }).click()
    expect(await page.content()).not.toContain(password)
  })

  it('what a composition makes, by deep link and by search', async () => {
    await open('/')
    await page.keyboard.press('/')
    // Typed, not filled in: the dialog must have put the focus where one types.
    await page.getByRole('combobox', { name: 'Search objects and kinds' }).waitFor()
    await page.keyboard.type('public-mysql')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/compositions/)
    await page.getByText('CloudSQLInstance').first().waitFor()
    await picture(page, 'composition')
  })

  it('a requirement as a graph down to the external resource, and the same as a tree', async () => {
    await open('/kinds/platform.example.org/mysqldatabaserequirements')
    await page.getByRole('main').getByRole('link', { name: /shop/ }).click()
    await page.waitForURL(/objects\/platform/)
    await page.locator('.state-external').first().waitFor({ timeout: 120_000 })
    await page
      .locator('.headline')
      .getByText(/Ready$/)
      .waitFor({ timeout: 120_000 })
    await picture(page, 'requirement')
    await page.getByRole('radiogroup', { name: 'Show as' }).getByText('Tree', { exact: true }).click()
    const items = await page.getByRole('treeitem').allInnerTexts()
    expect(items.join('\n')).toMatch(/MySQLDatabaseRequirement[\s\S]*MySQLDatabase[\s\S]*CloudSQLInstance[\s\S]*External/)
  })

  it('what happened below it, what it was made for, and what it is out there', async () => {
    await open('/objects/platform.example.org/mysqldatabaserequirements/team-a/shop')
    const events = page.getByRole('region', { name: 'Events' })
    await events.getByText('CreatedExternalResource').first().waitFor()
    await events
      .getByRole('link', { name: /CloudSQLInstance/ })
      .first()
      .click()
    await page.waitForURL(/cloudsqlinstances/)
    const external = page.getByRole('region', { name: 'External resource' })
    await external.getByRole('link', { name: 'provider-gcp' }).waitFor()
    await external.getByRole('link', { name: 'example' }).waitFor()
    await external.getByText('RUNNING').waitFor()
    const owners = await page.getByRole('navigation', { name: 'Made for' }).getByRole('listitem').allInnerTexts()
    expect(owners.map((owner) => owner.split(/\s/)[0])).toEqual(['MySQLDatabaseRequirement', 'MySQLDatabase', 'CloudSQLInstance'])
  })

  it('spec and status as a tree beside the YAML, each value to be copied', async () => {
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open(`${CLAIM}?view=yaml`)
    const tree = page.getByRole('region', { name: 'Spec and status', exact: true })
    await tree.getByText('writeConnectionSecretToRef').waitFor()
    await page.getByRole('textbox', { name: /^YAML of/ }).waitFor()
    const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()')
    await tree.getByRole('button', { name: 'Copy spec.writeConnectionSecretToRef.name' }).click()
    await eventually(async () => expect(await copied()).toBe('ledger'))
    await page
      .getByRole('button', { name: 'Copy the YAML' })
      .or(page.getByRole('button', { name: 'Copy', exact: true }))
      .first()
      .click()
    await eventually(async () => expect(await copied()).toContain('kind: PostgreSQLInstance'))
    // What is closed takes no place; opened again it is there.
    await tree.getByText('conditions', { exact: true }).click()
    await tree.getByText('ReconcileSuccess').waitFor({ state: 'detached' })
  })

  it('what a composition does step by step, who uses it, and how its revisions differ', async () => {
    await open(WEBAPP)
    const steps = page.getByRole('region', { name: 'Steps' })
    expect((await steps.getByRole('heading', { level: 3 }).allInnerTexts()).map((text) => text.split(/\s/)[0])).toEqual([
      'resources',
      'ready',
    ])
    await steps.getByRole('link', { name: 'function-auto-ready' }).waitFor()
    expect(await steps.getByRole('listitem').filter({ hasText: 'convert to string' }).last().innerText()).toMatch(
      /spec\.port[\s\S]*data\.port/,
    )
    await page
      .getByRole('region', { name: /^Used by/ })
      .getByRole('link', { name: /WebApp default\/shop/ })
      .waitFor()
    await world.client.patch(compositionKind, { name: 'webapp' }, { type: 'merge', body: { metadata: { labels: { channel: 'next' } } } })
    const revisions = page.getByRole('region', { name: /^Revisions/ })
    await revisions.getByRole('button', { name: 'Show the difference' }).click()
    await revisions.getByText('channel').waitFor()
  })

  it('what the functions of a composite said, step by step, and why one failed', async () => {
    const saying = (step: string, severity: string, message: string): object => ({
      step,
      functionRef: { name: 'function-dummy' },
      input: { apiVersion: 'dummy.fn.crossplane.io/v1beta1', kind: 'Response', response: { results: [{ severity, message }] } },
    })
    await world.client.apply({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Function',
      metadata: { name: 'function-dummy' },
      spec: { package: 'registry.example.org/contrib/function-dummy:v0.4.0' },
    } as KubeObject)
    await world.client.apply({
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'Composition',
      metadata: { name: 'webapp-refused' },
      spec: {
        compositeTypeRef: { apiVersion: 'app.example.org/v1', kind: 'WebApp' },
        mode: 'Pipeline',
        pipeline: [
          saying('look', 'SEVERITY_WARNING', 'the image is three years old'),
          saying('judge', 'SEVERITY_FATAL', 'no image of that age is run'),
          { step: 'ready', functionRef: { name: 'function-auto-ready' } },
        ],
      },
    } as KubeObject)
    await applyWhenServed(world.client, {
      apiVersion: 'app.example.org/v1',
      kind: 'WebApp',
      metadata: { namespace: 'default', name: 'old' },
      spec: { image: 'registry.example.org/old:1', crossplane: { compositionRef: { name: 'webapp-refused' } } },
    })
    await open('/objects/app.example.org/webapps/default/old')
    const said = page.getByRole('region', { name: 'Results of its functions' })
    const step = (name: string) =>
      said.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name: new RegExp(`^${name}`) }) })
    await step('judge').getByText('no image of that age is run').waitFor({ timeout: 60_000 })
    expect(await step('judge').innerText()).toMatch(/Failing/)
    await step('look').getByText('the image is three years old').waitFor({ timeout: 60_000 })
    expect(await step('look').innerText()).toMatch(/answered/)
    expect(await step('ready').innerText()).toMatch(/not asked: a step before it failed/)
    await said.getByRole('link', { name: 'function-auto-ready' }).waitFor()
    // One that went well.
    await open('/objects/app.example.org/webapps/default/shop')
    expect(await step('resources').innerText()).toMatch(/answered/)
  })

  it('what a definition asks for, field by field', async () => {
    await open('/objects/apiextensions.crossplane.io/compositeresourcedefinitions/-/webapps.app.example.org')
    const fields = page.getByRole('region', { name: 'Fields of spec' })
    expect(await fields.getByRole('listitem').filter({ hasText: 'port' }).first().innerText()).toMatch(/integer\s+default 80/)
    expect(await fields.getByRole('listitem').filter({ hasText: 'image' }).first().innerText()).toMatch(/required/)
  })

  it('what would change, before an edit is saved', async () => {
    const labels = async (): Promise<unknown> =>
      (await world.client.get(claims, { namespace: 'team-a', name: 'ledger' })).metadata.labels?.['edited']
    await open(`${CLAIM}?view=yaml`)
    await page.getByRole('main').getByRole('button', { name: /^Edit/ }).last().click()
    const editor = page.getByRole('textbox', { name: 'YAML to edit' })
    await editor.click()
    const object = await world.client.get(claims, { namespace: 'team-a', name: 'ledger' })
    const { managedFields: _, ...metadata } = object.metadata
    // Not typed over: Chromium would try to keep the colours of what it replaces with a style attribute, which the policy forbids.
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(stringify({ ...object, metadata: { ...metadata, labels: { edited: 'in-the-browser' } } }))
    await page.getByRole('button', { name: 'Preview' }).click()
    const change = page.getByRole('region', { name: 'What would change' })
    await change.getByText('in-the-browser').first().waitFor()
    expect(await labels()).toBeUndefined()
    await page.getByRole('button', { name: 'Save' }).click()
    await eventually(async () => expect(await labels()).toBe('in-the-browser'), { timeoutMs: 45_000 })
  })

  it('an edit that survives leaving, points at the line that is wrong, and takes over what others changed', async () => {
    const name = { namespace: 'team-a', name: 'ledger' }
    await open(`${CLAIM}?view=yaml&edit`)
    await page.getByRole('textbox', { name: 'YAML to edit' }).click()
    const { metadata, ...rest } = await world.client.get(claims, name)
    const { managedFields: _, ...shown } = metadata
    const withMetadata = (changed: object): string => stringify({ ...rest, metadata: { ...shown, ...changed } })
    const text = withMetadata({ labels: { ...metadata.labels, mine: 'kept' } })
    const replaceWith = async (typed: string): Promise<void> => {
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.press('Delete')
      await page.keyboard.insertText(typed)
    }
    await replaceWith(`apiVersion: v1\nkind: [\n${text}`)
    await page.getByText(/^Line \d+: /).waitFor()
    expect(await page.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true)
    await replaceWith(withMetadata({ name: 'other' }))
    await page.getByText('metadata.name cannot be changed').waitFor()
    await replaceWith(text)
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.goBack()
    await page.getByText('This is your earlier draft').waitFor()
    await world.client.patch(claims, name, { type: 'merge', body: { metadata: { labels: { theirs: 'too' } } } })
    await page.getByRole('button', { name: 'Merge the other changes' }).click()
    await page.getByText('The text now contains the changes of others').waitFor()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('region', { name: 'What would change' }).getByText('Consequences').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await eventually(
      async () => expect((await world.client.get(claims, name)).metadata.labels).toMatchObject({ mine: 'kept', theirs: 'too' }),
      { timeoutMs: 45_000 },
    )
  })

  it('what a Retain policy keeps, before a claim is deleted', async () => {
    await open('/objects/database.crossplane.io/postgresqlinstances/team-b/archive')
    await page
      .locator('.headline')
      .getByText(/Ready$/)
      .waitFor({ timeout: 120_000 })
    await page.getByRole('button', { name: 'Delete…' }).click()
    const planned = page.getByRole('dialog').getByRole('list', { name: 'Planned changes' })
    await planned.waitFor()
    expect(await planned.innerText()).toMatch(/Delete[\s\S]*PostgreSQLInstance[\s\S]*Keep[\s\S]*CloudSQLInstance/)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  })

  it('where fields come from, by a link', async () => {
    await open(`${CLAIM}?view=fields`)
    const fields = page.getByRole('region', { name: 'Where fields come from' })
    await fields.getByText('PostgreSQLServer').first().waitFor()
    expect(await fields.getByRole('row').count()).toBeGreaterThan(1)
    expect(await page.getByText('cannot be rendered').count()).toBe(0)
  })

  it('nothing that is not known: while objects are on their way, none is said to be absent', async () => {
    let goOn = (): void => undefined
    const held = new Promise<void>((resolve) => (goOn = resolve))
    await page.route('**/console/watches/*', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/catalogue')
    await page.getByText('Loading classes').waitFor()
    const said = await page.getByRole('main').innerText()
    expect(said).not.toMatch(/There are no|Nothing|0 classes|\b0\b/)
    await page.goto('/')
    await page.getByText('Loading objects').waitFor()
    expect(await page.getByRole('main').innerText()).not.toMatch(/is ready|may not/)
    goOn()
    await page.unrouteAll({ behavior: 'wait' })
    await open('/catalogue')
    await page.getByText('CloudSQLInstanceClass').first().waitFor()
  })

  it('a list as its address says, and again after going back', async () => {
    await open('/kinds/database.crossplane.io/postgresqlinstances')
    const names = (): Promise<readonly string[]> => page.getByRole('rowheader').allInnerTexts()
    await page.getByRole('button', { name: /^Name/ }).click()
    expect(await names()).toEqual(['team-a/ledger', 'team-b/archive'])
    await page.getByRole('columnheader', { name: 'Class-Name' }).waitFor()
    await page.getByRole('button', { name: /^Name/ }).click()
    expect(await names()).toEqual(['team-b/archive', 'team-a/ledger'])
    await page.getByLabel('Filter by name').fill('ledger')
    await page.getByLabel('State').selectOption('Ready')
    expect(await names()).toEqual(['team-a/ledger'])
    expect(new URL(page.url()).search).toBe('?q=ledger&state=ready&sort=-name')
    await page
      .getByRole('main')
      .getByRole('link', { name: /ledger/ })
      .click()
    await page.waitForURL(/objects/)
    await page.goBack()
    await page.getByRole('rowheader').first().waitFor()
    expect(await names()).toEqual(['team-a/ledger'])
    expect(await page.getByLabel('Filter by name').inputValue()).toBe('ledger')
  })

  it('several objects to be paused and resumed at once, and only those that are shown', async () => {
    await open('/kinds/database.crossplane.io/postgresqlinstances?namespace=team-b&label=%20')
    expect(await page.getByRole('rowheader').allInnerTexts()).toEqual(['team-b/archive'])
    await page.getByLabel('Select all rows').check()
    const actions = page.getByRole('group', { name: 'Actions for the selected objects' })
    await actions.getByText('1 object chosen').waitFor()
    await actions.getByRole('button', { name: 'Pause' }).click()
    const paused = async (name: string, namespace: string): Promise<unknown> =>
      (await world.client.get(claims, { namespace, name })).metadata.annotations?.['crossplane.io/paused']
    await eventually(async () => expect(await paused('archive', 'team-b')).toBe('true'), { timeoutMs: 45_000 })
    expect(await paused('ledger', 'team-a')).toBeUndefined()
    await page.getByLabel('Choose team-b/archive').check()
    await actions.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await actions.getByRole('button', { name: 'Resume' }).click()
    await eventually(async () => expect(await paused('archive', 'team-b')).toBeUndefined(), { timeoutMs: 45_000 })
  })

  it('an object of the graph beside it, without leaving the page', async () => {
    await open('/objects/platform.example.org/mysqldatabaserequirements/team-a/shop')
    const { pathname } = new URL(page.url())
    const graph = page.getByRole('group', { name: 'Graph of relations' })
    await graph.getByText('example · us-west2').waitFor()
    await graph
      .getByRole('link', { name: /CloudSQLInstance/ })
      .first()
      .click()
    const drawer = page.getByRole('complementary', { name: /^CloudSQLInstance/ })
    await drawer.getByText('External name').waitFor()
    expect(new URL(page.url()).pathname).toBe(pathname)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
  })

  it('the default by its name, and what may be filled in, in a form', async () => {
    await open('/new/database.crossplane.io/postgresqlinstances')
    await page.getByLabel('Class', { exact: true }).waitFor()
    expect(await page.getByLabel('Class', { exact: true }).locator('option').first().innerText()).toBe('The default: cloud')
  })

  it.each<[string, number]>([
    ['/', 15],
    ['/catalogue', 15],
    ['/packages', 15],
    ['/kinds/database.crossplane.io/postgresqlinstances', 15],
    [CLAIM, 15],
  ])('%s with at most %i requests', async (path, most) => {
    const requests: string[] = []
    // What the page before still says when it is left is not of this one.
    await page.goto('about:blank')
    const note = (request: { url(): string; method(): string }): void =>
      void requests.push(`${request.method()} ${new URL(request.url()).pathname}`)
    page.on('request', note)
    await open(path)
    page.off('request', note)
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(most)
  })

  it('how many objects were in which state, what happened lately, who carries it out, and how long that takes', async () => {
    await open('/')
    const plot = page.getByRole('region', { name: 'Objects by state' })
    await plot.getByText('Ready').waitFor()
    await plot.getByText(/Counted since/).waitFor()
    expect(await plot.locator('polygon').count()).toBeGreaterThan(0)
    const events = page.getByRole('region', { name: 'Recent events' })
    await events.getByRole('listitem').first().waitFor()
    expect(await events.getByRole('listitem').count()).toBeLessThanOrEqual(8)
    const providers = page.getByRole('region', { name: 'Providers' })
    expect(await providers.getByRole('listitem').filter({ hasText: 'provider-gcp' }).innerText()).toMatch(/Ready/)
    const controllers = page.getByRole('region', { name: 'Controllers' })
    await controllers.getByRole('rowheader', { name: /^managed\/cloudsqlinstance/ }).waitFor()
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
  })

  it('offers that cannot work, and why; and those that somebody looks for', async () => {
    await world.client.apply({
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'Composition',
      metadata: { name: 'one-day', annotations: { 'kubernetes.io/description': 'Made by a function of ours. It comes later.' } },
      spec: {
        compositeTypeRef: { apiVersion: 'app.example.org/v1', kind: 'WebApp' },
        mode: 'Pipeline',
        pipeline: [{ step: 'make', functionRef: { name: 'function-one-day' } }],
      },
    })
    await open('/catalogue')
    const compositions = page.getByRole('region', { name: /^Compositions/ })
    const row = compositions.getByRole('row').filter({ hasText: 'one-day' })
    await row.getByText('The function function-one-day is not installed.').waitFor()
    await row.getByText('Made by a function of ours.', { exact: true }).waitFor()
    const working = compositions.getByRole('row').filter({ hasText: 'public-mysql' })
    expect(await working.innerText()).not.toContain('▲')
    await page.getByRole('searchbox', { name: 'Find in the catalogue' }).fill('OURS function')
    await eventually(async () => expect(await compositions.getByRole('rowheader').count()).toBe(1))
    await page
      .getByRole('region', { name: /^Classes/ })
      .getByText('Nothing here matches')
      .waitFor()
    await world.client.delete(compositionKind, { name: 'one-day' })
  })

  it('what a package would bring before it is installed, what would go with one, and that one in use stays', async () => {
    const folder = join(world.packageFolder, 'platform')
    await mkdir(folder)
    await writeFile(
      join(folder, 'crossplane.yaml'),
      'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: browser-platform}\n',
    )
    const schema = { openAPIV3Schema: { type: 'object' } }
    const definition = {
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'CompositeResourceDefinition',
      metadata: { name: 'xshelves.browser.example.org' },
      spec: {
        group: 'browser.example.org',
        names: { kind: 'XShelf', plural: 'xshelves' },
        versions: [{ name: 'v1', served: true, referenceable: true, schema }],
      },
    }
    await writeFile(join(folder, 'definition.yaml'), stringify(definition))
    await open('/packages')
    await page.getByRole('button', { name: 'Install…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Where it is').fill('/nowhere/at/all')
    await dialog.getByRole('button', { name: 'Look into it' }).click()
    await dialog.getByText('The package cannot be inspected').waitFor()
    await dialog.getByLabel('Where it is').fill(folder)
    await dialog.getByRole('button', { name: 'Look into it' }).click()
    await dialog.getByRole('list', { name: 'Kinds that are added or removed' }).getByText('XShelf').waitFor()
    expect(await seriousAxeFindings(page)).toEqual([])
    const configurations = { group: 'pkg.crossplane.io', kind: 'Configuration' }
    expect(await world.client.find(configurations, { name: 'browser-platform' })).toBeUndefined()
    await dialog.getByRole('button', { name: 'Install', exact: true }).click()
    const row = page.getByRole('row').filter({ hasText: 'browser-platform' })
    await row.getByText('yes').first().waitFor()
    await row.getByRole('button', { name: 'Uninstall browser-platform' }).click()
    await dialog.getByRole('list', { name: 'Kinds that are added or removed' }).getByText('XShelf').waitFor()
    const remove = dialog.getByRole('button', { name: 'Uninstall', exact: true })
    expect(await remove.isDisabled()).toBe(true)
    await dialog.getByLabel(/^Type/).fill('browser-platform')
    await remove.click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Uninstall provider-gcp' }).click()
    await dialog.getByText('The server would refuse it').waitFor()
    expect(await remove.isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
  })

  it('whether the credentials of a configuration work, and what a process prints', async () => {
    await open('/packages')
    const row = page.getByRole('region', { name: 'Provider configurations' }).getByRole('row').filter({ hasText: 'example' }).first()
    await row.getByText('are synced').waitFor()
    await mkdir(join(world.weft.dataDir, 'logs'), { recursive: true })
    await writeFile(join(world.weft.dataDir, 'logs', 'provider-gcp.log'), 'first line\n')
    await page.getByRole('button', { name: 'Output of provider-gcp' }).click()
    const log = page.getByRole('log', { name: 'Output of provider-gcp' })
    await log.getByText('first line').waitFor()
    await appendFile(join(world.weft.dataDir, 'logs', 'provider-gcp.log'), 'and what came later\n')
    await log.getByText('and what came later').waitFor()
    expect(await seriousAxeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  it('packages and kinds', async () => {
    await open('/packages')
    await page.getByText('CloudSQLInstance').first().waitFor()
    await picture(page, 'packages')
    await open('/catalogue')
    await picture(page, 'catalogue')
  })

  it('met no error, no violation of the policy and no other host on the way', () => {
    expect(window.problems).toEqual([])
  })
})
