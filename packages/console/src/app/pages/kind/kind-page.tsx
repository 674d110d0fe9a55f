import { type ReactNode, useEffect, useMemo } from 'react'
import { apiVersionOf, type KindInfo, kindKey, ROLE_NAMES, type Role, roleOf } from '../../kinds/kind-info.ts'
import { isLoading } from '../../live/knowledge.ts'
import { printerColumns } from '../../objects/printer-columns.ts'
import { STATE_WORDS, whyNot } from '../../objects/state.ts'
import { count } from '../../objects/words.ts'
import { Loading, Notice } from '../../parts/notice.tsx'
import { routeTo } from '../../parts/object-link.tsx'
import { Page } from '../../parts/page.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { Link, navigate } from '../../routing/navigation.tsx'
import type { KindRoute, ListView } from '../../routing/route.ts'
import { useAccess, wishFor } from '../../session/access.ts'
import { useConsole, useWorld } from '../../session/console.tsx'
import { listed } from './object-list.ts'

const MOST_ROWS = 300

const STATES = ['ready', 'waiting', 'failed', 'deleting', 'paused'] as const

export interface KindPageProps {
  readonly kind: KindInfo
  readonly route: KindRoute
}

export function KindPage({ kind, route }: KindPageProps): ReactNode {
  const { namespace } = useConsole()
  const role = roleOf(kind)
  const isIntent = role === 'claim' || role === 'requirement' || role === 'application'
  const mayCreate = useAccess(isIntent ? wishFor('create', kind, namespace === '' ? 'default' : namespace) : undefined)
  return (
    <Page
      title={kind.kind}
      over={`${role === undefined ? 'Kind' : ROLE_NAMES[role].one} · ${kind.group}`}
      aside={
        mayCreate && (
          <Link className="button primary" to={{ page: 'new', group: kind.group, plural: kind.plural }}>
            New {kind.kind}
          </Link>
        )
      }
    >
      <Objects kind={kind} role={role} route={route} />
    </Page>
  )
}

interface ObjectsProps extends KindPageProps {
  readonly role: Role | undefined
}

function Objects({ kind, role, route }: ObjectsProps): ReactNode {
  const world = useWorld()
  const { watchAlso } = useConsole()
  const collection = world.collections.get(kindKey(kind))
  useEffect(() => {
    if (role === undefined) watchAlso([{ apiVersion: apiVersionOf(kind), kind: kind.kind }])
  }, [watchAlso, kind, role])
  const columns = useMemo(() => printerColumns(world, kind), [world, kind])
  const { text = '', state: wantedState = '', sort = '' } = route
  const rows = useMemo(
    () => listed(collection?.objects.values() ?? [], role, { text, sort, ...(wantedState !== '' && { state: wantedState }) }, columns),
    [collection, role, text, sort, wantedState, columns],
  )
  const total = collection?.objects.size ?? 0
  const shown = useMemo(() => rows.slice(0, MOST_ROWS), [rows])
  if (kind.group === '' && kind.kind === 'Secret')
    return <Notice tone="info">Secrets are shown only with the objects that they belong to.</Notice>
  if (!kind.verbs.includes('watch')) return <Notice tone="info">Objects of the kind {kind.kind} cannot be listed.</Notice>
  if (collection === undefined || isLoading(collection)) return <Loading what={`${kind.kind} objects`} />
  if (collection.state.phase === 'refused') return <Notice tone="info">You may not list objects of the kind {kind.kind} here.</Notice>
  if (collection.state.phase === 'waiting' && !collection.loaded) return <Notice tone="problem">{collection.state.why}</Notice>
  const show = (changes: ListView): void => navigate({ ...route, ...changes }, { replace: true })
  const hasState = role !== 'class' && role !== 'composition'
  return (
    <section className="card" aria-label={`${kind.kind} objects`}>
      <div className="toolbar">
        <label>
          Filter by name <input type="search" value={text} onChange={(event) => show({ text: event.target.value })} />
        </label>
        {hasState && (
          <label>
            State{' '}
            <select value={wantedState} onChange={(event) => show({ state: event.target.value })}>
              <option value="">any</option>
              {STATES.map((state) => (
                <option key={state} value={state}>
                  {STATE_WORDS[state]}
                </option>
              ))}
            </select>
          </label>
        )}
        <span className="muted" role="status">
          {rows.length === total ? count(total, 'object') : `${rows.length} of ${count(total, 'object')}`}
        </span>
      </div>
      {shown.length === 0 && <p className="calm">{total === 0 ? `There is no ${kind.kind} yet.` : 'None is like that.'}</p>}
      {shown.length > 0 && (
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <Heading column="name" title="Name" sort={sort} onSort={(next) => show({ sort: next })} />
                {hasState && <Heading column="state" title="State" sort={sort} onSort={(next) => show({ sort: next })} />}
                {columns.map(({ name }) => (
                  <Heading key={name} column={name.toLowerCase()} title={name} sort={sort} onSort={(next) => show({ sort: next })} />
                ))}
                <th scope="col">Why</th>
                <Heading column="created" title="Created" sort={sort} onSort={(next) => show({ sort: next })} />
              </tr>
            </thead>
            <tbody>
              {shown.map(({ object, name, state }) => (
                <tr key={object.metadata.uid}>
                  <th scope="row">
                    <Link to={routeTo(kind, object.metadata.namespace, object.metadata.name ?? '')}>{name}</Link>
                  </th>
                  {hasState && (
                    <td>
                      <StateBadge state={state} />
                    </td>
                  )}
                  {columns.map((column) => (
                    <td key={column.name}>{column.valueOf(object)}</td>
                  ))}
                  <td className="why">{state === undefined || state === 'ready' ? '' : whyNot(world, object)}</td>
                  <td>
                    <TimeAgo at={object.metadata.creationTimestamp} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.length > shown.length && <p className="muted">The first {shown.length} are shown: filter to find others.</p>}
    </section>
  )
}

interface HeadingProps {
  readonly column: string
  readonly title: string
  readonly sort: string
  readonly onSort: (sort: string) => void
}

/** Sorts by its column; pressed again, the other way round. */
function Heading({ column, title, sort, onSort }: HeadingProps): ReactNode {
  const direction = sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : undefined
  return (
    <th scope="col" aria-sort={direction}>
      <button type="button" className="sort" onClick={() => onSort(direction === 'ascending' ? `-${column}` : column)}>
        {title}
        <span aria-hidden="true">{direction === 'ascending' ? ' ▲' : direction === 'descending' ? ' ▼' : ''}</span>
      </button>
    </th>
  )
}
