import type { KubeObject } from '@weft/api'
import { lazy, type ReactNode, useState } from 'react'
import { ObjectActions } from '../../actions/object-actions.tsx'
import { type KindInfo, ROLE_NAMES, type Role, roleOf } from '../../../kinds/kind-info.ts'
import { isPackage } from '../../objects/installed-packages.ts'
import { useObject } from '../../session/use-object.ts'
import { ownReason, stateOf, whyNot } from '../../../world/state.ts'
import { LongText } from '../../parts/long-text.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Fallible } from '../../parts/fallible.tsx'
import { Loading, Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { Link, navigate } from '../../routing/navigation.tsx'
import type { ObjectRoute, ObjectView } from '../../routing/route.ts'
import { useWorld } from '../../session/console.tsx'
import { Owners } from './owners.tsx'
import { useRelatives } from './use-related.ts'
import { Summary } from './summary.tsx'

const Yaml = lazy(() => import('./yaml.tsx'))
const Fields = lazy(() => import('./fields.tsx'))

export interface ObjectPageProps {
  readonly kind: KindInfo
  readonly route: ObjectRoute
}

export function ObjectPage({ kind, route }: ObjectPageProps): ReactNode {
  if (kind.group === '' && kind.kind === 'Secret')
    return (
      <Page title={`Secret ${route.name}`}>
        <Notice tone="info">Secrets are shown only with the objects that they belong to, and their values only on request.</Notice>
      </Page>
    )
  return <LiveObject kind={kind} route={route} />
}

function LiveObject({ kind, route }: ObjectPageProps): ReactNode {
  const role = roleOf(kind)
  const looked = useObject(kind, route.namespace, route.name)
  useRelatives(route)
  // What was last seen stays readable after somebody deletes it.
  const [last, setLast] = useState<KubeObject>()
  const current = looked.phase === 'found' ? looked.object : undefined
  if (current !== undefined && current !== last) setLast(current)
  const object = current ?? last
  return (
    <Page
      title={`${kind.kind} ${route.name}`}
      over={
        <>
          {role === undefined ? (isPackage(kind) ? 'Package' : 'Object') : ROLE_NAMES[role].one} ·{' '}
          <Link to={{ page: 'kind', group: kind.group, plural: kind.plural }}>{kind.kind}</Link> <span className="muted">{kind.group}</span>
        </>
      }
      heading={
        <>
          {route.namespace !== undefined && <span className="muted">{route.namespace}/</span>}
          {route.name} <CopyButton text={route.name} what="the name" />
        </>
      }
      aside={current !== undefined && <ObjectActions kind={kind} object={current} />}
    >
      {looked.phase === 'loading' && object === undefined && <Loading what={route.name} />}
      {looked.phase === 'gone' && (
        <Notice tone="info">
          {object === undefined ? (
            <>
              There is no {kind.kind} {route.namespace === undefined ? '' : `${route.namespace}/`}
              {route.name}: it was deleted, or its name is another.{' '}
              <Link to={{ page: 'kind', group: kind.group, plural: kind.plural }}>Show existing objects</Link>
            </>
          ) : (
            'This object was deleted. The page shows its last state.'
          )}
        </Notice>
      )}
      {looked.phase === 'refused' && <Notice tone="info">You may not see this object.</Notice>}
      {object !== undefined && <Body kind={kind} role={role} object={object} route={route} />}
    </Page>
  )
}

interface BodyProps extends ObjectPageProps {
  readonly role: Role | undefined
  readonly object: KubeObject
}

const TABS: readonly Tab<ObjectView>[] = [
  { id: 'summary', title: 'Summary' },
  { id: 'yaml', title: 'Spec and status' },
  { id: 'fields', title: 'Where fields come from' },
]

function Body({ kind, role, object, route }: BodyProps): ReactNode {
  const view = route.view ?? 'summary'
  const tabs = role === 'class' || role === 'composition' || role === 'definition' ? TABS.slice(0, 2) : TABS
  return (
    <>
      <Owners object={object} />
      <Headline role={role} object={object} />
      <Tabs label="Views" tabs={tabs} chosen={view} onChoose={(id) => navigate({ ...withoutEdit(route), view: id }, { replace: true })}>
        <Fallible key={view} what="the view">
          {view === 'summary' && <Summary kind={kind} role={role} object={object} />}
          {view === 'yaml' && <Yaml kind={kind} object={object} route={route} />}
          {view === 'fields' && <Fields object={object} />}
        </Fallible>
      </Tabs>
    </>
  )
}

/** Leaving the YAML ends editing it. */
const withoutEdit = (route: ObjectRoute): ObjectRoute => ({ ...route, edit: false })

function Headline({ role, object }: { readonly role: Role | undefined; readonly object: KubeObject }): ReactNode {
  const world = useWorld()
  const state = stateOf(object, role)
  const why = state === undefined || state === 'ready' ? undefined : role === undefined ? ownReason(object) : whyNot(world, object)
  return (
    <div className="headline" aria-live="polite">
      <StateBadge state={state} />
      {why !== undefined && (
        <p className="why">
          <LongText text={why} />
        </p>
      )}
      <span className="muted">
        created <TimeAgo at={object.metadata.creationTimestamp} />
      </span>
    </div>
  )
}
