import { createSectionSearch, type Found, type Section } from './find-sections.ts'

/** A dialog with one field: arrow keys choose, Enter goes there, Escape closes. The text of the manual is loaded when it is first opened. */
export function createSearchDialog(up: string): { open(): void } {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Search')
  const field = Object.assign(document.createElement('input'), { type: 'search', autocomplete: 'off', placeholder: 'Search the manual' })
  const list = Object.assign(document.createElement('ul'), { id: 'found', className: 'hits' })
  const status = Object.assign(document.createElement('p'), { className: 'muted' })
  setAttributes(field, { role: 'combobox', 'aria-label': 'Search the manual', 'aria-controls': 'found', 'aria-expanded': 'false' })
  setAttributes(list, { role: 'listbox', 'aria-label': 'Found' })
  status.setAttribute('role', 'status')
  dialog.append(field, list, status)
  document.body.append(dialog)

  let find: ReturnType<typeof createSectionSearch> | undefined
  let hits: readonly Found[] = []
  let at = 0
  const choose = (next: number): void => {
    at = next
    ;[...list.children].forEach((option, i) => option.setAttribute('aria-selected', String(i === at)))
    list.children[at]?.scrollIntoView({ block: 'nearest' })
    setAttributes(field, { 'aria-expanded': String(hits.length > 0), 'aria-activedescendant': hits.length > 0 ? `found-${at}` : '' })
  }
  const go = (hit: Found | undefined): void => {
    if (hit === undefined) return
    dialog.close()
    location.assign(`${up}${hit.path}${hit.anchor === '' ? '' : `#${hit.anchor}`}`)
  }
  const show = (): void => {
    hits = find?.(field.value) ?? []
    list.replaceChildren(...hits.map((hit, i) => optionOf(hit, i, () => go(hit))))
    choose(0)
    if (find !== undefined) status.textContent = field.value.trim() !== '' && hits.length === 0 ? 'No pages match.' : ''
  }
  field.addEventListener('input', show)
  field.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter') go(hits[at])
    // Browsers would empty the field first, and close the dialog only the next time.
    else if (event.key === 'Escape') dialog.close()
    else if (step !== 0 && hits.length > 0) choose((at + step + hits.length) % hits.length)
    else return
    event.preventDefault()
  })
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  return {
    open() {
      if (dialog.open) return
      dialog.showModal()
      field.select()
      if (find !== undefined) return
      status.textContent = 'Loading…'
      loadSections(up).then(
        (sections) => {
          find = createSectionSearch(sections)
          show()
        },
        () => (status.textContent = 'The text of the manual could not be loaded. Close this and try again.'),
      )
    },
  }
}

async function loadSections(up: string): Promise<readonly Section[]> {
  const answer = await fetch(`${up}search.json`)
  if (!answer.ok) throw new Error(`search.json: ${answer.status}`)
  return (await answer.json()) as readonly Section[]
}

function optionOf({ title, heading, excerpt }: Found, i: number, go: () => void): HTMLElement {
  const option = Object.assign(document.createElement('li'), { id: `found-${i}` })
  option.setAttribute('role', 'option')
  const name = document.createElement('strong')
  name.textContent = heading === '' ? title : `${title} › ${heading}`
  const text = Object.assign(document.createElement('span'), { className: 'muted', textContent: excerpt })
  option.append(name, text)
  option.addEventListener('click', go)
  return option
}

function setAttributes(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
}
