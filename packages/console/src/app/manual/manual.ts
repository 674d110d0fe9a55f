// What a page of the manual can do with JavaScript. Without it everything can be read, and the contents lead everywhere.
import { createSearchDialog } from './search-dialog.ts'

const THEMES = ['system', 'light', 'dark'] as const
const KEY = 'weft.theme'

const up = document.body.dataset['up'] ?? ''
const search = createSearchDialog(up)
const searchButton = document.querySelector<HTMLButtonElement>('#search')
searchButton?.removeAttribute('hidden')
searchButton?.addEventListener('click', () => search.open())
document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof HTMLElement && event.target.closest('input, dialog') !== null
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return
  event.preventDefault()
  search.open()
})

const themeButton = document.querySelector<HTMLButtonElement>('#theme')
if (themeButton !== null) {
  let theme = THEMES.find((known) => known === localStorage.getItem(KEY)) ?? 'system'
  const show = (): void => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    themeButton.textContent = `Colours: ${theme}`
  }
  themeButton.hidden = false
  themeButton.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
    localStorage.setItem(KEY, theme)
    show()
  })
  show()
}

/** On a narrow screen the contents would push the page away; the reader opens them. */
const contents = document.querySelector<HTMLDetailsElement>('.contents')
const narrow = matchMedia('(max-width: 860px)')
const fold = (): void => {
  if (contents !== null) contents.open = !narrow.matches
}
narrow.addEventListener('change', fold)
fold()
contents?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })

/** What is wider than its box can be scrolled with the keyboard, too. */
const reachWide = (): void => {
  for (const box of document.querySelectorAll<HTMLElement>('pre, .wide')) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0
    else box.removeAttribute('tabindex')
  }
}
addEventListener('resize', reachWide)
reachWide()
