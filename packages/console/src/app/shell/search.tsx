import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { useConsole } from '../session/console.tsx'
import { findActions, useActions } from './search-actions.ts'
import { type Entry, entryOf, useFound } from './use-found.ts'

/** Finds any object or kind, and what can be done: a combobox, with arrow keys and Enter. */
export function Search({ onClose }: { readonly onClose: () => void }): ReactNode {
  const list = useId()
  const { kinds } = useConsole()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { found, isPending, problem } = useFound(text)
  const actions = findActions(useActions(), text)
  const entries: readonly Entry[] = [...(found?.hits ?? []).map((hit) => entryOf(hit, kinds)), ...actions]
  // Enter before the answer is there means its first line: who types fast does not wait.
  const [isChosen, setChosen] = useState(false)
  const go = (entry: Entry | undefined): void => {
    if (entry === undefined) return
    onClose()
    entry.go()
  }
  useEffect(() => {
    // What is shown may belong to the letters before: nobody should land where they did not want to.
    if (!isChosen || isPending) return
    setChosen(false)
    go(entries[at])
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault()
      return setChosen(true)
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || entries.length === 0) return
    event.preventDefault()
    setAt((at + step + entries.length) % entries.length)
  }
  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label="Search objects and kinds"
        aria-expanded={entries.length > 0}
        aria-controls={list}
        aria-activedescendant={entries.length > 0 ? `${list}-${at}` : undefined}
        autoComplete="off"
        placeholder="Name, external name, state, kind or action"
        value={text}
        // The dialog was opened to type here.
        data-focus-first
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
          setChosen(false)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={list} role="listbox" aria-label="Found" className="hits">
        {entries.map((entry, i) => (
          <li key={entry.key} id={`${list}-${i}`} role="option" aria-selected={i === at} onClick={() => go(entry)}>
            <span>
              <span className="muted">{entry.over}</span> {entry.title}{' '}
              {entry.note !== undefined && <span className="muted">{entry.note}</span>}
            </span>
            {entry.state !== undefined && <StateBadge state={entry.state} />}
          </li>
        ))}
      </ul>
      <p className="muted" role="status">
        {problem ?? statusOf(text, entries.length, found?.isPartial === true, isPending)}
      </p>
    </Dialog>
  )
}

function statusOf(text: string, count: number, isPartial: boolean, isPending: boolean): string {
  if (text.trim() === '') return 'Objects, kinds and actions: arrow keys choose, Enter goes there.'
  if (isPartial) return 'Some kinds are still being read: there may be more.'
  return count === 0 && !isPending ? 'No matches among the objects that you can see.' : ''
}
