import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { BulkActions } from '../../actions/bulk-actions.tsx'
import { apiVersionOf, isIntent, type KindInfo, kindKey, ROLE_NAMES, type Role, roleOf } from '../../../kinds/kind-info.ts'
import { isLoading, isToldOf } from '../../live/knowledge.ts'
import { printerColumns } from '../../objects/printer-columns.ts'
import { definitionsOf } from '../../objects/provider-package.ts'
import { STATE_WORDS } from '../../../world/state.ts'
import { count } from '../../objects/words.ts'
import { Loading, Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Link, navigate } from '../../routing/navigation.tsx'
import type { KindRoute, ListView } from '../../routing/route.ts'
import { useAccess, wishFor } from '../../session/access.ts'
import { useConsole, useWorld } from '../../session/console.tsx'
import { choicesOf, listed } from './object-list.ts'
import { Rows } from './rows.tsx'

const STATES = ['ready', 'waiting', 'failed', 'deleting', 'paused'] as const

export interface KindPageProps {
  readonly kind: KindInfo
  readonly route: KindRoute
}

export function KindPage({ kind, route }: KindPageProps): ReactNode {
  const { namespace } = useConsole()
  const role = roleOf(kind)
  const mayCreate = useAccess(isIntent(kind) ? wishFor('create', kind, namespace === '' ? 'default' : namespace) : undefined)
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
  const { watchAlso, watchObjects, namespace: where } = useConsole()
  const known = world.collections.get(kindKey(kind))
  const collection = known !== undefined && isToldOf(known) ? known : undefined
  useEffect(() => {
    watchAlso([{ apiVersion: apiVersionOf(kind), kind: kind.kind }])
    watchObjects(definitionsOf(kind))
  }, [watchAlso, watchObjects, kind])
  const columns = useMemo(() => printerColumns(world, kind), [world, kind])
  const objects = collection?.objects
  const { text = '', state = '', namespace = '', label = '', from = '', sort = '' } = route
  const rows = useMemo(() => {
    const wanted = Object.entries({ text, state, namespace, label, from, sort }).filter(([, value]) => value !== '')
    return listed(objects?.values() ?? [], role, Object.fromEntries(wanted), columns)
  }, [objects, role, text, state, namespace, label, from, sort, columns])
  const choices = useMemo(() => choicesOf(objects?.values() ?? []), [objects])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  if (kind.group === '' && kind.kind === 'Secret')
    return <Notice tone="info">Secrets are shown only with the objects that they belong to.</Notice>
  if (!kind.verbs.includes('watch')) return <Notice tone="info">Objects of the kind {kind.kind} cannot be listed.</Notice>
  if (collection === undefined || isLoading(collection)) return <Loading what={`${kind.kind} objects`} />
  if (collection.state.phase === 'refused')
    return (
      <Notice tone="info">
        You may not list {kind.kind} objects {where === '' ? 'in all namespaces' : `in ${where}`}.
        {where === '' && kind.namespaced && ' If you have rights in one namespace, choose it at the top.'}
      </Notice>
    )
  if (collection.state.phase === 'waiting' && !collection.loaded) return <Notice tone="problem">{collection.state.why}</Notice>
  const total = collection.objects.size
  const show = (changes: ListView): void => navigate({ ...route, ...changes }, { replace: true })
  // What is no longer shown is not acted upon.
  const acted = rows.filter(({ object }) => chosen.has(object.metadata.uid ?? '')).map(({ object }) => object)
  return (
    <section className="card" aria-label={`${kind.kind} objects`}>
      <div className="toolbar">
        <label>
          Filter by name <input type="search" value={text} onChange={(event) => show({ text: event.target.value })} />
        </label>
        {hasState(role) && (
          <Choice
            title="State"
            value={state}
            options={STATES.map((each) => [each, STATE_WORDS[each]])}
            onChoose={(next) => show({ state: next })}
          />
        )}
        {(choices.namespaces.length > 1 || namespace !== '') && (
          <Choice title="In" value={namespace} options={choices.namespaces.map(pair)} onChoose={(next) => show({ namespace: next })} />
        )}
        {(choices.sources.length > 1 || from !== '') && (
          <Choice title="Made from" value={from} options={choices.sources.map(pair)} onChoose={(next) => show({ from: next })} />
        )}
        <label>
          Label{' '}
          <input type="search" size={14} placeholder="key=value" value={label} onChange={(event) => show({ label: event.target.value })} />
        </label>
        <span className="muted" role="status">
          {rows.length === total ? count(total, 'object') : `${rows.length} of ${count(total, 'object')}`}
        </span>
      </div>
      {acted.length > 0 && <BulkActions kind={kind} objects={acted} onDone={() => setChosen(new Set())} />}
      {rows.length === 0 && <p className="calm">{total === 0 ? `There is no ${kind.kind} yet.` : 'None is like that.'}</p>}
      {rows.length > 0 && (
        <Rows
          kind={kind}
          role={role}
          rows={rows}
          columns={columns}
          sort={sort}
          onSort={(next) => show({ sort: next })}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
    </section>
  )
}

const hasState = (role: Role | undefined): boolean => role !== 'class' && role !== 'composition'

const pair = (text: string): readonly [string, string] => [text, text]

interface ChoiceProps {
  readonly title: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChoose: (value: string) => void
}

function Choice({ title, value, options, onChoose }: ChoiceProps): ReactNode {
  return (
    <label>
      {title}{' '}
      <select value={value} onChange={(event) => onChoose(event.target.value)}>
        <option value="">any</option>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
        {value !== '' && !options.some(([each]) => each === value) && <option value={value}>{value}</option>}
      </select>
    </label>
  )
}
