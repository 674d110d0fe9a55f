import { type KeyboardEvent, memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ObjectLink, useRouteTo } from '../parts/object-link.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { navigate } from '../routing/navigation.tsx'
import { type GraphModel } from './model.ts'
import { rowsOf, type TreeRow, treeOf } from './tree.ts'
import { sameNode } from './update.ts'

export interface TreeProps {
  readonly model: GraphModel
  /** The node of the page's own object. */
  readonly focus: string
}

/** The same as the graph, for screen readers, keyboards and small windows: an ARIA tree. Enter opens an object. */
export function Tree({ model, focus }: TreeProps): ReactNode {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState(focus)
  const list = useRef<HTMLUListElement>(null)
  const routeTo = useRouteTo()
  const rows = useMemo(() => rowsOf(treeOf(model), collapsed), [model, collapsed])
  const repeated = useMemo(() => repeatedReasons(rows), [rows])
  const current = rows.find(({ node }) => node.id === active) ?? rows[0]
  const moved = useRef(false)
  useEffect(() => {
    if (moved.current) list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    moved.current = false
  }, [current?.node.id])
  const moveTo = (row: TreeRow | undefined): void => {
    if (row === undefined) return
    moved.current = true
    setActive(row.node.id)
  }
  const onToggle = useCallback(
    (id: string, open: boolean): void =>
      setCollapsed((before) => {
        const next = new Set(before)
        if (open) next.delete(id)
        else next.add(id)
        return next
      }),
    [],
  )
  const onKeyDown = (event: KeyboardEvent): void => {
    if (current === undefined) return
    const at = rows.indexOf(current)
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => moveTo(rows[at + 1]),
      ArrowUp: () => moveTo(rows[at - 1]),
      Home: () => moveTo(rows[0]),
      End: () => moveTo(rows.at(-1)),
      ArrowRight: () => (current.expanded === false ? onToggle(current.node.id, true) : current.expanded === true && moveTo(rows[at + 1])),
      ArrowLeft: () =>
        current.expanded === true ? onToggle(current.node.id, false) : moveTo(rows.find(({ node }) => node.id === current.parent)),
      Enter: () => {
        const route = current.node.ref && routeTo(current.node.ref)
        if (route !== undefined) navigate(route)
      },
    }
    const act = keys[event.key]
    if (act === undefined || event.target instanceof HTMLAnchorElement) return
    event.preventDefault()
    act()
  }
  return (
    <ul role="tree" aria-labelledby="relations" className="tree" ref={list} onKeyDown={onKeyDown}>
      {rows.map((row) => (
        <Item
          key={row.node.id}
          row={row}
          isReasonBelow={repeated.has(row.node.id)}
          selected={row.node.id === focus}
          reachable={row.node.id === current?.node.id}
          onActive={setActive}
          onToggle={onToggle}
        />
      ))}
    </ul>
  )
}

/** Nodes whose reason is that of one below them which is shown: it is said there, once. */
function repeatedReasons(rows: readonly TreeRow[]): ReadonlySet<string> {
  const byId = new Map(rows.map((row) => [row.node.id, row]))
  const found = new Set<string>()
  for (const { node, parent } of rows)
    for (let at = parent; at !== undefined && node.why !== undefined;) {
      const above = byId.get(at)
      if (above?.node.why !== node.why || found.has(at)) break
      found.add(at)
      at = above.parent
    }
  return found
}

interface ItemProps {
  readonly row: TreeRow
  readonly isReasonBelow: boolean
  /** It is the object of the page. */
  readonly selected: boolean
  /** The one item that Tab leads to. */
  readonly reachable: boolean
  readonly onActive: (id: string) => void
  readonly onToggle: (id: string, open: boolean) => void
}

const Item = memo(
  function Item({
    row: { node, level, position, siblings, expanded },
    isReasonBelow,
    selected,
    reachable,
    onActive,
    onToggle,
  }: ItemProps): ReactNode {
    return (
      <li
        role="treeitem"
        aria-level={level}
        aria-posinset={position}
        aria-setsize={siblings}
        aria-expanded={expanded}
        aria-selected={selected}
        tabIndex={reachable ? 0 : -1}
        onFocus={() => onActive(node.id)}
        className={`tree-item level-${Math.min(level, 8)}`}
      >
        <span className="tree-twist" aria-hidden="true" onClick={() => expanded !== undefined && onToggle(node.id, !expanded)}>
          {expanded === undefined ? '' : expanded ? '▾' : '▸'}
        </span>
        <StateBadge state={node.state} />
        {node.ref === undefined ? (
          <span>
            {node.kind} {node.name}
          </span>
        ) : (
          <ObjectLink object={node.ref} />
        )}
        {node.why !== undefined && !isReasonBelow && (
          <span className="why" title={node.why}>
            {node.why}
          </span>
        )}
      </li>
    )
  },
  // Models are made anew with every change, and nearly all rows say the same as before.
  (a, b) =>
    a.selected === b.selected &&
    a.reachable === b.reachable &&
    a.isReasonBelow === b.isReasonBelow &&
    sameNode(a.row.node, b.row.node) &&
    (['level', 'position', 'siblings', 'expanded'] as const).every((field) => a.row[field] === b.row[field]),
)
