import type { KubeObject } from '@weft/api'
import { type ReactNode, useCallback, useMemo } from 'react'
import { type KindInfo, kindKey, ROLE_NAMES, type Role, roleOf } from '../../kinds/kind-info.ts'
import type { Knowledge } from '../../live/knowledge.ts'
import type { Collection } from '../../live/world.ts'
import { BINDINGS, classesFor, classes as allClasses, claimsOf, isDefaultClass, makesOf } from '../../objects/makes.ts'
import { stateOf } from '../../objects/state.ts'
import { count } from '../../objects/words.ts'
import { Nothing } from '../../parts/nothing.tsx'
import { fullName, routeTo } from '../../parts/object-link.tsx'
import { Page } from '../../parts/page.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Link } from '../../routing/navigation.tsx'
import { useAccess, wishFor } from '../../session/access.ts'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useKnowledge } from '../../session/use-knowledge.ts'

export default function Catalogue(): ReactNode {
  return (
    <Page title="Catalogue">
      <Intents />
      <Classes />
      <Offers role="definition" />
      <Offers role="composition" />
    </Page>
  )
}

function Intents(): ReactNode {
  const { kinds } = useConsole()
  const intents = kinds.withRole('requirement', 'application', 'claim')
  const knowledge: Knowledge = kinds.loaded
    ? { phase: 'known' }
    : kinds.problem === null
      ? { phase: 'loading' }
      : { phase: 'failed', why: kinds.problem.message }
  return (
    <section className="card" aria-labelledby="intents">
      <h2 id="intents">What you can ask for</h2>
      {intents.length === 0 && (
        <Nothing knowledge={knowledge} what="what you can ask for">
          Nothing yet: a platform team publishes kinds with definitions and publications.
        </Nothing>
      )}
      <ul className="tiles">
        {intents.map((kind) => (
          <Intent key={kindKey(kind)} kind={kind} />
        ))}
      </ul>
    </section>
  )
}

function Intent({ kind }: { readonly kind: KindInfo }): ReactNode {
  const world = useWorld()
  const { namespace } = useConsole()
  const mayCreate = useAccess(wishFor('create', kind, namespace === '' ? 'default' : namespace))
  const role = roleOf(kind)
  const knowledge = useKnowledge(isClassOrBinding)
  const classes = role === 'claim' && knowledge.phase === 'known' ? classesFor(world, kind) : undefined
  return (
    <li className="tile">
      <div>
        <Link to={{ page: 'kind', group: kind.group, plural: kind.plural }}>
          <strong>{kind.kind}</strong>
        </Link>
        <br />
        <span className="muted">
          {role !== undefined && ROLE_NAMES[role].one} · {kind.group}
          {classes !== undefined && ` · ${count(classes.length, 'class', 'classes')}`}
        </span>
      </div>
      {mayCreate && (
        <Link className="button" to={{ page: 'new', group: kind.group, plural: kind.plural }} aria-label={`New ${kind.kind}`}>
          New…
        </Link>
      )}
    </li>
  )
}

function useOffers(role: Role): readonly { readonly collection: Collection; readonly object: KubeObject }[] {
  const world = useWorld()
  return useMemo(
    () =>
      [...world.collections.values()]
        .filter(({ kind }) => roleOf(kind) === role)
        .flatMap((collection) => [...collection.objects.values()].map((object) => ({ collection, object })))
        .sort((a, b) => a.object.kind.localeCompare(b.object.kind) || fullName(a.object).localeCompare(fullName(b.object))),
    [world, role],
  )
}

const isClassOrBinding = (kind: KindInfo): boolean => roleOf(kind) === 'class' || kindKey(kind) === BINDINGS

function Classes(): ReactNode {
  const world = useWorld()
  const knowledge = useKnowledge(isClassOrBinding)
  const offers = useOffers('class')
  const total = useMemo(() => allClasses(world).length, [world])
  return (
    <section className="card" aria-labelledby="classes">
      <h2 id="classes">Classes {(total > 0 || knowledge.phase === 'known') && <span className="pill">{total}</span>}</h2>
      {offers.length === 0 ? (
        <Nothing knowledge={knowledge} what="classes">
          There are no classes that you can see. Claims without a class wait.
        </Nothing>
      ) : (
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Class</th>
                <th scope="col">For claims of</th>
                <th scope="col">Makes</th>
                <th scope="col">Labels</th>
              </tr>
            </thead>
            <tbody>
              {offers.map(({ collection, object }) => (
                <tr key={object.metadata.uid}>
                  <th scope="row">
                    <Link to={routeTo(collection.kind, undefined, object.metadata.name ?? '')}>{object.metadata.name}</Link>{' '}
                    <span className="muted">{object.kind}</span> {isDefaultClass(object) && <span className="pill">default</span>}
                  </th>
                  <td>
                    {claimsOf(world, object)
                      .map(({ kind }) => kind)
                      .join(', ')}
                  </td>
                  <td>{makesText(makesOf(world, object))}</td>
                  <td>
                    {Object.entries(object.metadata.labels ?? {}).map(([key, value]) => (
                      <code key={key} className="label">
                        {key}={value}
                      </code>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const makesText = (made: ReturnType<typeof makesOf>): string =>
  made.map(({ kind, count: n }) => (n > 1 ? `${n} × ${kind}` : kind)).join(', ')

function Offers({ role }: { readonly role: 'definition' | 'composition' }): ReactNode {
  const world = useWorld()
  const offers = useOffers(role)
  const knowledge = useKnowledge(useCallback((kind: KindInfo) => roleOf(kind) === role, [role]))
  const heading = `${role}s`
  return (
    <section className="card" aria-labelledby={heading}>
      <h2 id={heading}>
        {ROLE_NAMES[role].many} {(offers.length > 0 || knowledge.phase === 'known') && <span className="pill">{offers.length}</span>}
      </h2>
      {offers.length === 0 ? (
        <Nothing knowledge={knowledge} what={ROLE_NAMES[role].many.toLowerCase()}>
          There are none that you can see.
        </Nothing>
      ) : (
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                {role === 'definition' && <th scope="col">State</th>}
                <th scope="col">Makes</th>
              </tr>
            </thead>
            <tbody>
              {offers.map(({ collection, object }) => (
                <tr key={object.metadata.uid}>
                  <th scope="row">
                    <Link to={routeTo(collection.kind, undefined, object.metadata.name ?? '')}>{object.metadata.name}</Link>{' '}
                    <span className="muted">{object.kind}</span>
                  </th>
                  {role === 'definition' && (
                    <td>
                      <StateBadge state={stateOf(object, role)} />
                    </td>
                  )}
                  <td>{makesText(makesOf(world, object))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
