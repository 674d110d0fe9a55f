import { eventually, waitFor } from '@weft/testing'
import { defineKind } from '@weft/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyExample, applyWhenServed } from './apply-example.ts'
import type { Window } from './chromium.ts'
import { type ConsoleWorld, startConsoleWorld } from './console-world.ts'
import { pictureComparison, type PictureComparison } from './picture-comparison.ts'

/** The share of a page that may differ: what takes more or less room by a line moves what is below it. */
const TOLERANCE = 0.03

const LOOKS = [
  { look: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { look: 'dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const

const claims = defineKind({
  group: 'database.crossplane.io',
  version: 'v1alpha1',
  kind: 'PostgreSQLInstance',
  plural: 'postgresqlinstances',
  namespaced: true,
})
const CLAIMS = 'database.crossplane.io/postgresqlinstances'
const ARCHIVE = `/objects/${CLAIMS}/team-b/archive`

let world: ConsoleWorld
let window: Window
let page: Page
let pictures: PictureComparison
beforeAll(async () => {
  world = await startConsoleWorld()
  pictures = await pictureComparison(world.browser)
  // The text is hidden by a style that the console's own policy would refuse.
  window = await world.openAsAdministrator({ bypassCSP: true })
  page = window.page
})
afterAll(async () => {
  await pictures?.close()
  await world?.stop()
})

async function open(path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settled()
}

const settled = (): Promise<void> => eventually(async () => expect(await page.getByText(/^Loading/).count()).toBe(0), { timeoutMs: 45_000 })

/** A page may be drawn once more by something that comes a moment later; one that looks otherwise stays so. */
async function looksAsBefore(name: string, of: Page = page): Promise<void> {
  // Nothing to compare with: a picture is taken when everything has come.
  if (process.env['WEFT_PICTURES'] === '1') await of.waitForTimeout(3_000)
  await eventually(
    async () => expect(await pictures.difference(of, name), `${name} looks different: see ${pictures.kept}`).toBeLessThanOrEqual(TOLERANCE),
    { timeoutMs: 20_000 },
  )
}

interface State {
  readonly name: string
  readonly path: string
  /** What is done on the page before it is looked at. */
  readonly act?: () => Promise<unknown>
}

const dialog = (): ReturnType<Page['getByRole']> => page.getByRole('dialog')

const STATES: readonly State[] = [
  { name: 'overview', path: '/', act: () => page.getByRole('region', { name: 'Objects by state' }).waitFor() },
  { name: 'catalogue', path: '/catalogue', act: () => page.locator('.description').first().waitFor() },
  {
    name: 'catalogue-nothing-found',
    path: '/catalogue',
    act: () => page.getByRole('searchbox', { name: 'Find in the catalogue' }).fill('no such thing'),
  },
  { name: 'packages', path: '/packages', act: () => page.getByRole('button', { name: 'Uninstall provider-gcp' }).waitFor() },
  {
    name: 'package-that-stays',
    path: '/packages',
    act: async () => {
      await page.getByRole('button', { name: 'Uninstall provider-gcp' }).click()
      await dialog().getByText('The server would refuse it').waitFor()
    },
  },
  { name: 'install', path: '/packages', act: () => page.getByRole('button', { name: 'Install…' }).click() },
  { name: 'list', path: `/kinds/${CLAIMS}?sort=name` },
  { name: 'list-nothing-found', path: `/kinds/${CLAIMS}?q=nothing` },
  { name: 'form', path: `/new/${CLAIMS}`, act: () => page.getByLabel('Class', { exact: true }).waitFor() },
  { name: 'object-ready', path: ARCHIVE, act: () => page.locator('.state-external').first().waitFor() },
  { name: 'object-waiting', path: `/objects/${CLAIMS}/team-a/nowhere` },
  { name: 'object-yaml', path: `${ARCHIVE}?view=yaml`, act: () => page.getByRole('textbox', { name: /^YAML of/ }).waitFor() },
  {
    name: 'object-delete',
    path: ARCHIVE,
    act: async () => {
      await page.getByRole('button', { name: 'Delete…' }).click()
      await dialog().getByRole('list', { name: 'Planned changes' }).waitFor()
    },
  },
  {
    name: 'object-fields',
    path: `${ARCHIVE}?view=fields`,
    act: () => page.getByText('spec.forProvider.region').first().waitFor(),
  },
  {
    name: 'class',
    path: '/objects/database.gcp.crossplane.io/cloudsqlinstanceclasses/-/archive',
    act: () =>
      page
        .getByRole('region', { name: /^Used by/ })
        .getByRole('link')
        .first()
        .waitFor(),
  },
  {
    name: 'provider',
    path: '/objects/pkg.crossplane.io/providers/-/provider-gcp',
    act: () => page.getByRole('button', { name: 'Uninstall provider-gcp' }).waitFor(),
  },
  { name: 'composition', path: '/objects/apiextensions.crossplane.io/compositions/-/public-mysql' },
  { name: 'definition', path: '/objects/apiextensions.crossplane.io/infrastructuredefinitions/-/mysqldatabases.platform.example.org' },
  { name: 'object-not-there', path: `/objects/${CLAIMS}/team-a/nothing` },
  { name: 'address-that-is-none', path: '/this/is/no/page' },
  {
    name: 'search',
    path: '/catalogue',
    act: async () => {
      await page.keyboard.press('/')
      await page.getByRole('combobox', { name: 'Search objects and kinds' }).fill('archive')
      await page.getByRole('option').first().waitFor()
    },
  },
]

it.each(LOOKS)('a control plane that is new looks as in its picture: $look', async ({ look, colorScheme, viewport }) => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize(viewport)
  await open('/')
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await looksAsBefore(`overview-new-${look}`)
})

it.each(LOOKS)('signing in looks as in its picture: $look', async ({ look, colorScheme, viewport }) => {
  const stranger = await world.open({ bypassCSP: true, colorScheme, viewport })
  await stranger.page.goto('/')
  await stranger.page.getByLabel('Token').waitFor()
  await looksAsBefore(`sign-in-${look}`, stranger.page)
  await stranger.context.close()
})

describe.each(LOOKS)('$look', ({ look, colorScheme, viewport }) => {
  beforeAll(async () => {
    await applyExample(world.client, 'composition/definition.yaml', 'composition/compositions.yaml')
    await applyWhenServed(world.client, claim('team-b', 'archive', 'archive'))
    await world.client.apply(claim('team-a', 'nowhere', 'moon'))
    const isReady = (object: object | undefined): boolean => JSON.stringify(object ?? {}).includes('"type":"Ready","status":"True"')
    await waitFor(world.client, claims, { namespace: 'team-b', name: 'archive' }, isReady, { timeoutMs: 120_000 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
  })

  it.each(STATES)('$name looks as in its picture', async ({ name, path, act }) => {
    await open(path)
    await act?.()
    await settled()
    await looksAsBefore(`${name}-${look}`)
  })

  it('what is on its way looks as in its picture', async () => {
    let goOn = (): void => undefined
    const held = new Promise<void>((resolve) => (goOn = resolve))
    await page.route('**/console/watches/*', async (route) => {
      await held
      await route.continue()
    })
    try {
      await page.goto('/catalogue')
      await page.getByText('Loading classes').waitFor()
      await looksAsBefore(`catalogue-loading-${look}`)
    } finally {
      goOn()
      await page.unrouteAll({ behavior: 'wait' })
    }
  })

  it('what the server cannot tell looks as in its picture', async () => {
    await page.route('**/console/render', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: FAILED }))
    try {
      await page.goto(`${ARCHIVE}?view=fields`)
      await page.getByText('The result cannot be rendered').waitFor()
      await settled()
      await looksAsBefore(`fields-failed-${look}`)
    } finally {
      await page.unrouteAll({ behavior: 'wait' })
    }
  })

  it('what somebody may not see looks as in its picture', async () => {
    const token = await world.tokenOfRole('olga', 'team-a', 'weft-application-operator')
    const { page: theirs, context } = await world.open({ bypassCSP: true, colorScheme, viewport })
    await theirs.goto('/')
    await theirs.getByLabel('Token').fill(token)
    await theirs.getByLabel('Namespace').fill('team-a')
    await theirs.getByRole('button', { name: 'Sign in' }).click()
    await theirs.getByRole('navigation', { name: 'Main' }).waitFor()
    await theirs.goto('/kinds/database.gcp.crossplane.io/cloudsqlinstances')
    await theirs.getByText('You may not list CloudSQLInstance objects').waitFor()
    await looksAsBefore(`list-forbidden-${look}`, theirs)
    await theirs.goto('/packages')
    await theirs.getByText('You may not see packages').waitFor()
    await eventually(async () => expect(await theirs.getByText(/^Loading/).count()).toBe(0), { timeoutMs: 45_000 })
    await theirs.getByRole('region', { name: 'Managed kinds' }).getByRole('link').first().waitFor()
    await looksAsBefore(`packages-forbidden-${look}`, theirs)
    await context.close()
  })

  it('a page of other colours and places does not', async () => {
    await open('/packages')
    await page.getByRole('button', { name: 'Uninstall provider-gcp' }).waitFor()
    await page.addStyleTag({
      content: '.page-head { padding-top: 40px !important; } .card { border-radius: 0; background: gray !important; }',
    })
    if (process.env['WEFT_PICTURES'] !== '1') expect(await pictures.difference(page, `packages-${look}`)).toBeGreaterThan(TOLERANCE)
  })
})

const FAILED = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 500, message: 'the server is out of order' })

const claim = (namespace: string, name: string, where: string) => ({
  apiVersion: 'database.crossplane.io/v1alpha1',
  kind: 'PostgreSQLInstance',
  metadata: { namespace, name },
  spec: { classSelector: { matchLabels: { where } }, writeConnectionSecretToRef: { name } },
})
