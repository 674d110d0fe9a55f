import type { Locator, Page } from 'playwright-core'

/** How somebody works a page. The same journey must be possible with either. */
export interface Hands {
  readonly with: 'mouse' | 'keyboard'
  /** A button, a link, a tab. */
  press(target: Locator): Promise<void>
  fill(field: Locator, text: string): Promise<void>
  /** An option of a select, by its text. */
  choose(select: Locator, option: string): Promise<void>
  /** A radio button of a group, by its name. */
  pick(group: Locator, name: string): Promise<void>
}

export const mouse: Hands = {
  with: 'mouse',
  press: (target) => target.click(),
  fill: (field, text) => field.fill(text),
  choose: async (select, option) => void (await select.selectOption({ label: option })),
  pick: (group, name) => group.getByText(name, { exact: true }).click(),
}

/** More than any page has. */
const MOST_STOPS = 150

/** Nothing but keys: Tab until it is reached, then what a person would press. */
export const keyboard: Hands = {
  with: 'keyboard',
  async press(target) {
    await reach(target)
    await target.page().keyboard.press('Enter')
  },
  async fill(field, text) {
    await reach(field)
    const { keyboard: keys } = field.page()
    await keys.press('ControlOrMeta+a')
    await keys.press('Delete')
    await keys.type(text)
  },
  async choose(select, option) {
    await reach(select)
    const { keyboard: keys } = select.page()
    const chosen = (): Promise<string> => select.evaluate((element) => (element as unknown as Select).selectedOptions[0]?.text ?? '')
    await keys.press('Home')
    for (let steps = 0; (await chosen()) !== option; steps++) {
      if (steps > MOST_STOPS) throw new Error(`no option ${option}`)
      await keys.press('ArrowDown')
    }
  },
  async pick(group, name) {
    // One stop for the whole group; arrows move within it.
    await reach(group.getByRole('radio', { checked: true }))
    const wanted = group.getByRole('radio', { name, exact: true })
    for (let steps = 0; !(await wanted.isChecked()); steps++) {
      if (steps > MOST_STOPS) throw new Error(`no radio button ${name}`)
      await group.page().keyboard.press('ArrowRight')
    }
  },
}

/** As much of a select element as is needed; this program has no DOM. */
interface Select {
  readonly selectedOptions: readonly { readonly text: string }[]
}

async function reach(target: Locator): Promise<void> {
  await target.waitFor()
  const page = target.page()
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the keyboard does not reach ${String(target)}; it is at ${await focused(page)}`)
}

const isFocused = (target: Locator): Promise<boolean> => target.evaluate((element) => element === element.ownerDocument.activeElement)

const focused = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      (globalThis as unknown as { document: { activeElement?: { outerHTML: string } } }).document.activeElement?.outerHTML.slice(0, 200) ??
      '',
  )
