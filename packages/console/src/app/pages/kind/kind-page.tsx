import type { KubeObject } from '@weft/api'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { apiVersionOf, type KindInfo, kindKey, ROLE_NAMES, type Role, roleOf } from '../../kinds/kind-info.ts'
import { STATE_ORDER, stateOf, whyNot } from '../../objects/state.ts'
import { count } from '../../objects/words.ts'
import { Loading, Notice } from '../../parts/notice.tsx'
import { fullName, routeTo } from '../../parts/object-link.tsx'
import { Page } from '../../parts/page.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { Link } from '../../routing/navigation.tsx'
import { useAccess, wishFor } from '../../session/access.ts'
import { useConsole, useWorld } from '../../session/console.tsx'

const MOST_ROWS = 300

export function KindPage({ kind }: { readonly kind: KindInfo }): ReactNode {
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
      <Objects kind={kind} role={role} />
    </Page>
  )
}

function Objects({ kind, role }: { readonly kind: KindInfo; readonly role: Role | undefined }): ReactNode {
  const world = useWorld()
  const [text, setText] = useState('')
  const { watchAlso } = useConsole()
  const collection = world.collections.get(kindKey(kind))
  useEffect(() => {
    if (role === undefined) watchAlso([{ apiVersion: apiVersionOf(kind), kind: kind.kind }])
  }, [watchAlso, kind, role])
  const objects = useMemo(() => sorted([...(collection?.objects.values() ?? [])], role), [collection, role])
  const needle = text.trim().toLowerCase()
  const matching = useMemo(() => objects.filter((object) => fullName(object).toLowerCase().includes(needle)), [objects, needle])
  const shown = useMemo(() => matching.slice(0, MOST_ROWS), [matching])
  if (kind.group === '' && kind.kind === 'Secret')
    return <Notice tone="info">Secrets are shown only with the objects that they belong to.</Notice>
  if (!kind.verbs.includes('watch')) return <Notice tone="info">Objects of the kind {kind.kind} cannot be listed.</Notice>
  if (collection === undefined || (!collection.loaded && collection.state.phase === 'listing'))
    return <Loading what={`${kind.kind} objects`} />
  if (collection.state.phase === 'refused') return <Notice tone="info">You may not list objects of the kind {kind.kind} here.</Notice>
  if (collection.state.phase === 'waiting' && !collection.loaded) return <Notice tone="problem">{collection.state.why}</Notice>
  return (
    <section className="card" aria-label={`${kind.kind} objects`}>
      <div className="toolbar">
        <label>
          Filter by name <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <span className="muted" role="status">
          {count(matching.length, 'object')}
        </span>
      </div>
      {shown.length === 0 && <p className="calm">{objects.length === 0 ? `There is no ${kind.kind} yet.` : 'None has such a name.'}</p>}
      {shown.length > 0 && (
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                {role !== 'class' && role !== 'composition' && <th scope="col">State</th>}
                <th scope="col">Why</th>
                <th scope="col">Created</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((object) => {
                const state = stateOf(object, role)
                return (
                  <tr key={object.metadata.uid}>
                    <th scope="row">
                      <Link to={routeTo(kind, object.metadata.namespace, object.metadata.name ?? '')}>{fullName(object)}</Link>
                    </th>
                    {role !== 'class' && role !== 'composition' && (
                      <td>
                        <StateBadge state={state} />
                      </td>
                    )}
                    <td className="why">{state === undefined || state === 'ready' ? '' : whyNot(world, object)}</td>
                    <td>
                      <TimeAgo at={object.metadata.creationTimestamp} />
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      {matching.length > shown.length && <p className="muted">The first {shown.length} are shown: filter by name to find others.</p>}
    </section>
  )
}

/** What needs attention first, then by name; there may be tens of thousands. */
function sorted(objects: readonly KubeObject[], role: Role | undefined): readonly KubeObject[] {
  const keyed = objects.map((object) => {
    const state = stateOf(object, role)
    return { object, rank: state === undefined ? 0 : STATE_ORDER.indexOf(state), name: fullName(object) }
  })
  return keyed.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1)).map(({ object }) => object)
}
