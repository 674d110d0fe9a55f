import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleWorld, signInWithToken, startConsoleWorld } from './console-world.ts'
import { openWindow, type Window } from './chromium.ts'

const CLAIMS = '/k8s/apis/database.crossplane.io/v1alpha1/namespaces/team-a/postgresqlinstances'
const CLAIM = '/objects/database.crossplane.io/postgresqlinstances/team-a/secret-project'
const ACTIONS = new Set(['Reconcile now', 'Pause', 'Edit YAML', 'Delete…'])

let world: ConsoleWorld
beforeAll(async () => {
  world = await startConsoleWorld()
  await world.client.apply({
    apiVersion: 'database.crossplane.io/v1alpha1',
    kind: 'PostgreSQLInstance',
    metadata: { namespace: 'team-a', name: 'secret-project' },
    spec: { writeConnectionSecretToRef: { name: 'secret-project' } },
  })
})
afterAll(() => world?.stop())

async function openAs(name: string, namespace: string, rules: readonly object[]): Promise<Window> {
  const window = await world.open()
  await signInWithToken(window, await world.tokenFor(name, namespace, rules))
  return window
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** As the page itself could ask: with its cookie, and its CSRF token where something would change. */
async function ask({ page }: Window, method: string, path: string, body?: object): Promise<Answer> {
  const request = { method, path, body: body === undefined ? undefined : JSON.stringify(body) }
  return page.evaluate(async ({ method: verb, path: target, body: text }) => {
    const { csrfToken } = (await (await fetch('/console/session')).json()) as { csrfToken: string }
    const type = verb === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const headers = { 'content-type': type, 'x-weft-csrf': csrfToken }
    const answer = await fetch(target, { method: verb, headers, ...(text !== undefined && { body: text }) })
    return { status: answer.status, text: await answer.text() }
  }, request)
}

async function buttons({ page }: Window): Promise<readonly string[]> {
  return (await page.getByRole('main').getByRole('button').allInnerTexts()).filter((text) => ACTIONS.has(text))
}

describe('a user without rights', () => {
  let window: Window
  beforeAll(async () => void (window = await openAs('nobody', 'team-b', [])))
  afterAll(() => window?.context.close())

  it('sees what is on offer, and has no way to ask for it', async () => {
    await window.page.goto('/catalogue')
    await window.page.getByRole('heading', { level: 1 }).waitFor()
    await window.page.getByText('CloudSQLInstanceClass').first().waitFor()
    expect(await window.page.getByRole('main').innerText()).not.toContain('secret-project')
    expect(await buttons(window)).toEqual([])
    expect(await window.page.getByRole('link', { name: /^New / }).count()).toBe(0)
  })

  it('sees no objects, on no page', async () => {
    for (const path of ['/', '/packages', '/kinds/database.crossplane.io/postgresqlinstances', CLAIM]) {
      await window.page.goto(path)
      await window.page.getByRole('heading', { level: 1 }).waitFor()
      await window.page
        .getByText(/may not|none that you can see|no such object/i)
        .first()
        .waitFor()
      const shown = await window.page.getByRole('main').innerText()
      // The address says the name; nothing that the server knows does.
      if (path !== CLAIM) expect(shown).not.toContain('secret-project')
      expect(shown).not.toContain('CloudSQLInstanceClass/')
      expect(await buttons(window)).toEqual([])
      expect(await window.page.getByRole('link', { name: /^New / }).count()).toBe(0)
    }
  })

  it.each([
    ['GET', CLAIMS],
    ['GET', `${CLAIMS}/secret-project`],
    ['GET', '/k8s/apis/database.crossplane.io/v1alpha1/postgresqlinstances'],
    ['GET', '/k8s/api/v1/secrets'],
    ['GET', '/k8s/api/v1/namespaces/team-a/secrets/secret-project'],
    ['DELETE', `${CLAIMS}/secret-project`],
    ['POST', CLAIMS],
    ['PATCH', `${CLAIMS}/secret-project`],
    ['GET', '/console/metrics'],
  ])('is refused by the API too: %s %s', async (method, path) => {
    const body = { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'PostgreSQLInstance', metadata: { name: 'mine' } }
    const { status, text } = await ask(window, method, path, method === 'GET' ? undefined : body)
    expect(status).toBe(403)
    expect(text).not.toContain('classRef')
  })

  it('learns no number from the past, of no namespace', async () => {
    const administrator = await world.openAsAdministrator()
    const past = async (who: Window, namespace: string): Promise<string> =>
      (await ask(who, 'GET', `/console/history?namespace=${namespace}`)).text
    // It is counted every ten seconds.
    await eventually(async () => expect(await past(administrator, 'team-a')).toMatch(/"(ready|waiting|failed)":/), { timeoutMs: 60_000 })
    for (const namespace of ['', 'team-a', 'team-b', 'default'])
      expect(await past(window, namespace)).not.toMatch(/"(ready|waiting|failed)":/)
    await administrator.context.close()
  })

  it('learns nothing from a plan', async () => {
    const reference = {
      apiVersion: 'database.crossplane.io/v1alpha1',
      kind: 'PostgreSQLInstance',
      namespace: 'team-a',
      name: 'secret-project',
    }
    const { status, text } = await ask(window, 'POST', '/console/plan', { delete: reference })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).not.toContain('CloudSQLInstance')
  })
})

describe('an application operator of one namespace, with the role that is shipped', () => {
  let window: Window
  beforeAll(async () => {
    const token = await world.tokenOfRole('olga', 'team-a', 'weft-application-operator')
    window = await world.open()
    await window.page.goto('/')
    await window.page.getByLabel('Token').fill(token)
    await window.page.getByLabel('Namespace').fill('team-a')
    await window.page.getByRole('button', { name: 'Sign in' }).click()
    await window.page.getByRole('navigation', { name: 'Main' }).waitFor()
  })
  afterAll(() => window?.context.close())

  /** Each by a deep link, with what must come, however wide the window. */
  const SEEN: readonly (readonly [path: string, shown: RegExp])[] = [
    ['/', /You may not list \d+ kinds in team-a[^]*You may not see providers[^]*PostgreSQLInstance/],
    ['/catalogue', /PostgreSQLInstance[^]*CloudSQLInstanceClass/],
    ['/packages', /You may not see packages/],
    ['/kinds/database.crossplane.io/postgresqlinstances', /team-a\/secret-project/],
    ['/kinds/database.gcp.crossplane.io/cloudsqlinstances', /You may not list CloudSQLInstance objects in team-a/],
    ['/new/database.crossplane.io/postgresqlinstances', /The default: cloud[^]*Preview/],
    [CLAIM, /Reconcile now[^]*Delete…[^]*Ready[^]*CloudSQLInstance/],
    [`${CLAIM}?view=yaml`, /writeConnectionSecretToRef/],
    [`${CLAIM}?view=fields`, /spec\.forProvider\.region[^]*CloudSQLInstanceClass\/cloud/],
    ['/objects/database.gcp.crossplane.io/cloudsqlinstanceclasses/-/cloud', /What it creates[^]*secret-project/],
    ['/objects/database.crossplane.io/postgresqlinstances/team-b/any', /You may not see this object/],
    [
      '/objects/database.crossplane.io/postgresqlinstances/team-a/nothing',
      /There is no PostgreSQLInstance team-a\/nothing[^]*Show existing objects/,
    ],
    ['/objects/pkg.crossplane.io/providers/-/provider-gcp', /You may not see this object/],
  ]

  it.each(SEEN)('sees %s as far as they may, at every width', async (path, shown) => {
    const { page } = window
    for (const width of [390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(path)
      const main = page.getByRole('main')
      await eventually(async () => expect(await main.innerText()).toMatch(shown), { timeoutMs: 45_000 })
      await eventually(async () => expect(await page.getByText(/^Loading/).count()).toBe(0), { timeoutMs: 45_000 })
      expect(await main.innerText()).not.toMatch(/cannot be read|failed to/i)
      expect(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(true)
    }
  })

  it('sees the plan for a database, creates it, reads its secret and deletes it again', async () => {
    const { page } = window
    await page.goto('/new/database.crossplane.io/postgresqlinstances')
    await page.getByLabel('Name *', { exact: true }).fill('of-olga')
    await page.getByLabel('Connection secret').fill('of-olga')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('list', { name: 'Planned changes' }).getByText('CloudSQLInstance', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.locator('.headline .state-ready').waitFor({ timeout: 90_000 })
    await page.getByRole('region', { name: 'Connection' }).getByRole('button', { name: 'Reveal password' }).click()
    await page.getByRole('button', { name: 'Hide password' }).waitFor()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('That cannot be undone').waitFor()
    await dialog.getByLabel('Type of-olga to delete it').fill('of-olga')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    const kind = { group: 'database.crossplane.io', kind: 'PostgreSQLInstance' }
    const left = (): Promise<unknown> => world.client.find(kind, { namespace: 'team-a', name: 'of-olga' })
    await eventually(async () => expect(await left()).toBeUndefined(), { timeoutMs: 90_000 })
  })

  it('met no error on the way', () => expect(window.problems).toEqual([]))
})

describe('a user who may look', () => {
  it('sees the claim of their namespace, and no button that would be refused', async () => {
    const window = await openAs('looker', 'team-a', [
      { apiGroups: ['database.crossplane.io'], resources: ['postgresqlinstances'], verbs: ['get', 'list', 'watch'] },
    ])
    await window.page.goto(CLAIM)
    await window.page.getByRole('heading', { level: 1 }).waitFor()
    await window.page.locator('.headline').waitFor()
    await window.page.getByText('You may not read this secret').waitFor()
    // The link leads into the one namespace that they see: the console looks there, and finds their own claim in it.
    await window.page.getByRole('region', { name: 'Relations' }).getByText('secret-project').first().waitFor()
    expect(await window.page.getByLabel('Namespace', { exact: true }).inputValue()).toBe('team-a')
    expect(await buttons(window)).toEqual([])
    expect((await ask(window, 'DELETE', `${CLAIMS}/secret-project`)).status).toBe(403)
    await window.context.close()
  })
})

describe('a user who may change claims', () => {
  it('is offered what they may do, and nothing else', async () => {
    const window = await openAs('changer', 'team-a', [
      { apiGroups: ['database.crossplane.io'], resources: ['postgresqlinstances'], verbs: ['get', 'list', 'watch', 'patch'] },
    ])
    await window.page.goto(CLAIM)
    await window.page.getByRole('button', { name: 'Pause' }).waitFor()
    expect(await buttons(window)).toEqual(['Reconcile now', 'Pause'])
    await window.page.getByRole('button', { name: 'Pause' }).click()
    await window.page.getByRole('button', { name: 'Resume' }).waitFor()
    const claim = await world.client.get(
      { group: 'database.crossplane.io', kind: 'PostgreSQLInstance' },
      { namespace: 'team-a', name: 'secret-project' },
    )
    expect(claim.metadata.annotations).toMatchObject({ 'crossplane.io/paused': 'true' })
    await window.context.close()
  })
})

describe('signing in and out', () => {
  it('refuses a wrong token in a sentence, and keeps nothing of it', async () => {
    const { page, context, problems } = await world.open()
    await page.goto(CLAIM)
    await page.getByLabel('Token').fill('not-a-token')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(/does not accept this token/).waitFor()
    expect(await context.cookies()).toEqual([])
    expect(problems).toEqual([])
    await context.close()
  })

  it('a link that was used says so, and offers another way in', async () => {
    const { page, context } = await world.open()
    await page.goto('/console/sign-in#code=used-already')
    await page.getByText(/used before or has expired/).waitFor()
    await page.getByLabel('Token').waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await context.close()
  })

  it('signing out ends the session everywhere, and the page shows nothing any more', async () => {
    const window = await openAs('leaver', 'team-a', [
      { apiGroups: ['database.crossplane.io'], resources: ['postgresqlinstances'], verbs: ['get', 'list', 'watch'] },
    ])
    const [cookie] = await window.context.cookies()
    await window.page.goto(CLAIM)
    await window.page.locator('.headline').waitFor()
    await window.page.getByLabel(/^Signed in as/).click()
    await window.page.getByRole('button', { name: 'Sign out' }).click()
    await window.page.getByLabel('Token').waitFor()
    // Somebody who kept the cookie has nothing.
    const other = await openWindow(world.browser, world.address)
    await other.context.addCookies([{ name: cookie?.name ?? '', value: cookie?.value ?? '', url: world.address }])
    await other.page.goto('/')
    await other.page.getByLabel('Token').waitFor()
    await other.context.close()
    await window.context.close()
  })
})
