import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineKind } from '@weft/client'
import { eventually } from '@weft/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Window } from './chromium.ts'
import { type ConsoleWorld, startConsoleWorld } from './console-world.ts'
import { type Hands, keyboard, mouse } from './hands.ts'
import { picture } from './pictures.ts'

const claims = defineKind({
  group: 'database.crossplane.io',
  version: 'v1alpha1',
  kind: 'PostgreSQLInstance',
  plural: 'postgresqlinstances',
  namespaced: true,
})
const instances = defineKind({
  group: 'database.gcp.crossplane.io',
  version: 'v1beta1',
  kind: 'CloudSQLInstance',
  plural: 'cloudsqlinstances',
  namespaced: false,
})

let world: ConsoleWorld
beforeAll(async () => {
  world = await startConsoleWorld()
})
afterAll(() => world?.stop())

/** What controllers and clouds take on a busy machine. */
const CONVERGED = 120_000

describe.each([mouse, keyboard])('by $with', (hands) => {
  it('signs in, claims a database, sees it ready, broken, repaired and deleted', async () => {
    const window = await world.openAsAdministrator()
    const journey = new Journey(hands, window)
    const step = steps(window.page)
    await step('sign in', () => journey.hasSignedIn())
    await step('claim a database by the form, after a look at what that would create', () => journey.claim())
    await step('watch it become ready', () => journey.becomesReady())
    await step('read why it fails when the cloud is gone', () => journey.breaks())
    await step('see it ready again when the cloud is repaired', () => journey.recovers())
    await step('delete it after a look at what goes with it', () => journey.deletes())
    // No error, no violation of the policy, no other host, no secret in an address on the way.
    expect(window.problems).toEqual([])
    await window.context.close()
  })
})

/** Says where a journey ended, and keeps a picture of it. */
const steps =
  (page: Page) =>
  async (name: string, walk: () => Promise<void>): Promise<void> => {
    try {
      await walk()
    } catch (cause) {
      const path = join(tmpdir(), 'weft-journey-ended-here.png')
      await page.screenshot({ path }).catch(() => undefined)
      throw new Error(`${name} (${path}): ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
  }

class Journey {
  readonly #hands: Hands
  readonly #window: Window
  readonly #page: Page
  readonly #name: string

  constructor(hands: Hands, window: Window) {
    this.#hands = hands
    this.#window = window
    this.#page = window.page
    this.#name = hands.with === 'mouse' ? 'orders' : 'orders-by-keyboard'
  }

  async hasSignedIn(): Promise<void> {
    expect(new URL(this.#page.url()).hash).toBe('')
    const [cookie] = await this.#window.context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    const stored = String(await this.#page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'))
    expect(stored).not.toContain(cookie?.value)
    expect(stored).not.toMatch(/csrf|token|code/i)
  }

  async claim(): Promise<void> {
    const page = this.#page
    await this.#hands.press(page.getByRole('link', { name: 'Catalogue', exact: true }))
    await this.#hands.press(page.getByRole('link', { name: 'New PostgreSQLInstance' }))
    await this.#hands.fill(page.getByLabel('Name *', { exact: true }), this.#name)
    await this.#hands.fill(page.getByLabel('In namespace *'), 'team-a')
    await this.#hands.choose(page.getByLabel('Class', { exact: true }), 'cloud (CloudSQLInstanceClass, default)')
    await this.#hands.fill(page.getByLabel('Connection secret'), this.#name)
    await this.#hands.press(page.getByRole('button', { name: 'Preview' }))
    const planned = page.getByRole('region', { name: 'What would be created' }).getByRole('list', { name: 'Planned changes' })
    await planned.waitFor()
    expect(await planned.innerText()).toMatch(/Create[\s\S]*PostgreSQLInstance[\s\S]*Create[\s\S]*CloudSQLInstance/)
    await this.#picture('new-claim')
    expect(await this.#find()).toBeUndefined()
    expect((await world.client.list(instances)).items).toEqual([])
    await this.#hands.press(page.getByRole('button', { name: 'Create' }))
    await page.waitForURL(new RegExp(`/objects/.*/${this.#name}$`))
  }

  async becomesReady(): Promise<void> {
    await this.#isIn('Ready')
    expect((await world.client.list(instances)).items).toHaveLength(1)
    await this.#page.getByRole('button', { name: 'Reveal password' }).waitFor()
    await this.#picture('claim')
  }

  async breaks(): Promise<void> {
    await world.stopCloud()
    await this.#openMember()
    await this.#hands.press(this.#page.getByRole('button', { name: 'Reconcile now' }))
    await this.#isIn('Failing')
    await this.#hands.press(this.#page.getByRole('link', { name: 'Overview', exact: true }))
    const failing = this.#page.getByRole('list', { name: 'Objects that are not ready' })
    await failing.getByText('CloudSQLInstance').first().waitFor()
    expect(await failing.innerText()).toMatch(/cannot|connect|reach|refused/i)
    await this.#page
      .getByText(/^Now .* a second/)
      .first()
      .waitFor()
    await this.#picture('overview')
  }

  async recovers(): Promise<void> {
    await world.startCloud()
    await this.#openMember()
    await this.#hands.press(this.#page.getByRole('button', { name: 'Reconcile now' }))
    await this.#isIn('Ready')
    await this.#openClaim()
    await this.#isIn('Ready')
  }

  async deletes(): Promise<void> {
    await this.#openClaim()
    await this.#hands.press(this.#page.getByRole('button', { name: 'Delete…' }))
    const dialog = this.#page.getByRole('dialog')
    const planned = dialog.getByRole('list', { name: 'Planned changes' })
    await planned.waitFor()
    expect(await planned.innerText()).toMatch(/Delete[\s\S]*PostgreSQLInstance[\s\S]*CloudSQLInstance/)
    await this.#picture('delete')
    expect(await this.#find()).toBeDefined()
    const confirm = dialog.getByRole('button', { name: 'Delete', exact: true })
    expect(await dialog.innerText()).toMatch(/external resource [\s\S]* and all data in it/)
    expect(await confirm.isDisabled()).toBe(true)
    await this.#hands.fill(dialog.getByLabel(/^Type .* to delete it/), this.#name)
    await this.#hands.press(confirm)
    await this.#page.getByText('This object was deleted').waitFor({ timeout: CONVERGED })
    await eventually(
      async () => {
        expect(await this.#find()).toBeUndefined()
        expect((await world.client.list(instances)).items).toEqual([])
      },
      { timeoutMs: CONVERGED, intervalMs: 250 },
    )
  }

  #find(): Promise<unknown> {
    return world.client.find(claims, { namespace: 'team-a', name: this.#name })
  }

  async #openClaim(): Promise<void> {
    await this.#page.goto(`/objects/database.crossplane.io/postgresqlinstances/team-a/${this.#name}`)
    await this.#page.getByRole('heading', { level: 1 }).waitFor()
  }

  /** By the accessible tree, which shows what the graph shows. */
  async #openMember(): Promise<void> {
    await this.#openClaim()
    await this.#hands.pick(this.#page.getByRole('radiogroup', { name: 'Show as' }), 'Tree')
    await this.#hands.press(this.#page.getByRole('tree').getByRole('link', { name: /CloudSQLInstance/ }))
    await this.#page.waitForURL(/cloudsqlinstances/)
  }

  #isIn(word: string): Promise<void> {
    return this.#page
      .locator('.headline')
      .getByText(new RegExp(`${word}$`))
      .waitFor({ timeout: CONVERGED })
  }

  /** For the documentation; only one of the journeys makes them. */
  async #picture(name: string): Promise<void> {
    if (this.#hands.with === 'mouse') await picture(this.#page, name)
  }
}
