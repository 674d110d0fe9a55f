import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useMemo, useState } from 'react'
import { roleOf } from '../../kinds/kind-info.ts'
import { stateOf } from '../objects/state.ts'
import { Dialog } from '../parts/dialog.tsx'
import { fullName, routeTo } from '../parts/object-link.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { navigate } from '../routing/navigation.tsx'
import { useWorld } from '../session/console.tsx'
import { findObjects, type Hit } from './find-objects.ts'

const MOST = 20

/** Finds any object or kind by name: a combobox, with arrow keys and Enter. */
export function Search({ onClose }: { readonly onClose: () => void }): ReactNode {
  const world = useWorld()
  const list = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const wanted = useDeferredValue(text)
  const hits = useMemo(() => findObjects(world, wanted, MOST), [world, wanted])
  const go = (hit: Hit | undefined): void => {
    if (hit === undefined) return
    onClose()
    const { kind, object } = hit
    navigate(
      object === undefined
        ? { page: 'kind', group: kind.group, plural: kind.plural }
        : routeTo(kind, object.metadata.namespace, object.metadata.name ?? ''),
    )
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault()
      return go(hits[at])
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || hits.length === 0) return
    event.preventDefault()
    setAt((at + step + hits.length) % hits.length)
  }
  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label="Search objects and kinds"
        aria-expanded={hits.length > 0}
        aria-controls={list}
        aria-activedescendant={hits.length > 0 ? `${list}-${at}` : undefined}
        autoComplete="off"
        placeholder="Name, external name, state or kind"
        value={text}
        // The dialog was opened to type here.
        data-focus-first
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={list} role="listbox" aria-label="Found" className="hits">
        {hits.map((hit, i) => (
          <li
            key={hit.object?.metadata.uid ?? `${hit.kind.group}/${hit.kind.kind}`}
            id={`${list}-${i}`}
            role="option"
            aria-selected={i === at}
            onClick={() => go(hit)}
          >
            <span>
              <span className="muted">{hit.kind.kind}</span> {hit.object === undefined ? <em>all of this kind</em> : fullName(hit.object)}
            </span>
            {hit.object !== undefined && <StateBadge state={stateOf(hit.object, roleOf(hit.kind))} />}
          </li>
        ))}
      </ul>
      <p className="muted" role="status">
        {wanted.trim() !== '' && hits.length === 0 ? 'Nothing that you can see is like that.' : ''}
      </p>
    </Dialog>
  )
}
