import type { KubeObject } from '@weft/api'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { isIntent, type KindInfo, kindKey, OFFERING_ROLES, ROLE_NAMES, type Role, roleOf } from '../../../kinds/kind-info.ts'
import type { Knowledge } from '../../live/knowledge.ts'
import type { Collection, WorldSnapshot } from '../../../world/world.ts'
import { descriptionOf, firstSentence } from '../../../world/description.ts'
import { BINDINGS, classes as allClasses, claimsOf, composedBy, definitionOf, isDefaultClass, makesOf } from '../../../world/makes.ts'
import { definitionsOf } from '../../objects/provider-package.ts'
import { intentObstacles, obstaclesOf, offersFor, type ServedKinds } from '../../objects/obstacles.ts'
import { stateOf } from '../../../world/state.ts'
import { count } from '../../objects/words.ts'
import { Nothing } from '../../parts/nothing.tsx'
import { fullName, routeTo } from '../../parts/object-link.tsx'
import { Page } from '../../parts/page.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Tally } from '../../parts/tally.tsx'
import { Link } from '../../routing/navigation.tsx'
import { useAccess, wishFor } from '../../session/access.ts'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useKnowledge, useWatched } from '../../session/use-knowledge.ts'

export default function Catalogue(): ReactNode {
  const [wanted, setWanted] = useState('')
  const words = useMemo(() => wordsOf(wanted), [wanted])
  useObstacles()
  return (
    <Page
      title="Catalogue"
      aside={
        <label className="catalogue-search">
          <span className="unseen">Find in the catalogue</span>
          <input
            type="search"
            placeholder="Find by name, kind, label or description"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </label>
      }
    >
      <Intents words={words} />
      <Classes words={words} />
      <Offers role="definition" words={words} />
      <Offers role="composition" words={words} />
    </Page>
  )
}

/** Has what obstacles are found by watched: functions, providers, the kinds that they bring, and who brought those that are served. */
function useObstacles(): void {
  const world = useWorld()
  const { kinds, watchObjects } = useConsole()
  useWatched(tellsObstacles)
  useEffect(() => {
    const offers = [...world.collections.values()].flatMap(({ kind, objects }) =>
      OFFERING_ROLES.includes(roleOf(kind) ?? 'managed') ? [...objects.values()] : [],
    )
    const made = offers.flatMap((offer) => makesOf(world, offer)).flatMap(({ group, kind }) => kinds.byKind(group, kind) ?? [])
    watchObjects(made.flatMap(definitionsOf).filter(({ kind }) => kind === 'CustomResourceDefinition'))
  }, [world, kinds, watchObjects])
}

const OBSTACLES: ReadonlySet<string> = new Set([
  'Function.pkg.crossplane.io',
  'Provider.pkg.crossplane.io',
  'ProviderRevision.pkg.crossplane.io',
  'ManagedResourceDefinition.apiextensions.crossplane.io',
])

const tellsObstacles = (kind: KindInfo): boolean => OBSTACLES.has(kindKey(kind))

/** What somebody looks for: all of these must be found. */
type Words = readonly string[]

const wordsOf = (text: string): Words => text.toLowerCase().split(/\s+/).filter(Boolean)

const isWanted = (words: Words, ...texts: readonly (string | undefined)[]): boolean => {
  const text = texts.join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

const NotFound = ({ words }: { readonly words: Words }): ReactNode => <p className="calm">Nothing here matches “{words.join(' ')}”.</p>

/** Kinds that the server serves, for those who need to be sure. */
function useServed(): ServedKinds {
  const { kinds } = useConsole()
  return kinds.loaded ? kinds : undefined
}

function Obstacles({ obstacles }: { readonly obstacles: readonly string[] }): ReactNode {
  if (obstacles.length === 0) return null
  return (
    <ul className="obstacles">
      {obstacles.map((obstacle) => (
        <li key={obstacle}>
          <span aria-hidden="true">▲ </span>
          {obstacle}
        </li>
      ))}
    </ul>
  )
}

function Intents({ words }: { readonly words: Words }): ReactNode {
  const { kinds } = useConsole()
  const all = useMemo(() => kinds.all.filter(isIntent), [kinds])
  const intents = all.filter((kind) => isWanted(words, kind.kind, kind.group, ...kind.shortNames, kind.description))
  const knowledge: Knowledge = kinds.loaded
    ? { phase: 'known' }
    : kinds.problem === null
      ? { phase: 'loading' }
      : { phase: 'failed', why: kinds.problem.message }
  return (
    <section className="card" aria-labelledby="intents">
      <h2 id="intents">What you can ask for</h2>
      {all.length === 0 && (
        <Nothing knowledge={knowledge} what="what you can ask for">
          Nothing yet: a platform team publishes kinds with definitions and publications.
        </Nothing>
      )}
      {all.length > 0 && intents.length === 0 && <NotFound words={words} />}
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
  const served = useServed()
  const knowledge = useKnowledge(isOfferOrBinding)
  const offers = useMemo(() => (knowledge.phase === 'known' ? offersFor(world, kind) : undefined), [world, kind, knowledge.phase])
  const obstacles = useMemo(
    () => (knowledge.phase === 'known' ? intentObstacles(world, served, kind) : []),
    [world, served, kind, knowledge.phase],
  )
  const description = kind.description ?? definitionDescription(world, kind)
  return (
    <li className="tile">
      <div>
        <Link to={{ page: 'kind', group: kind.group, plural: kind.plural }}>
          <strong>{kind.kind}</strong>
        </Link>
        <br />
        <span className="muted">
          {role !== undefined && ROLE_NAMES[role].one} · {kind.group}
          {offers !== undefined && offers.length > 0 && ` · ${waysWords(offers)}`}
        </span>
        {description !== undefined && <p className="description">{description}</p>}
        <Obstacles obstacles={obstacles} />
      </div>
      {mayCreate && (
        <Link className="button" to={{ page: 'new', group: kind.group, plural: kind.plural }} aria-label={`New ${kind.kind}`}>
          New…
        </Link>
      )}
    </li>
  )
}

/** Whoever publishes a definition describes it once; what is published has no description of its own. */
function definitionDescription(world: WorldSnapshot, { group, kind }: KindInfo): string | undefined {
  const definition = definitionOf(world, { group, kind: kind.replace(/Requirement$/, '') })
  const description = definition && descriptionOf(definition)
  return description === undefined ? undefined : firstSentence(description)
}

/** `2 classes`, `1 composition` */
const waysWords = (offers: readonly KubeObject[]): string =>
  offers[0]?.kind === 'Composition' ? count(offers.length, 'composition') : count(offers.length, 'class', 'classes')

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

const isOfferOrBinding = (kind: KindInfo): boolean => isClassOrBinding(kind) || roleOf(kind) === 'composition'

const isClassOrBinding = (kind: KindInfo): boolean => roleOf(kind) === 'class' || kindKey(kind) === BINDINGS

function Classes({ words }: { readonly words: Words }): ReactNode {
  const world = useWorld()
  const served = useServed()
  const knowledge = useKnowledge(isClassOrBinding)
  const all = useOffers('class')
  const offers = all.filter(({ object }) => isOfferWanted(words, object, claimsOf(world, object)))
  const total = useMemo(() => allClasses(world).length, [world])
  return (
    <section className="card" aria-labelledby="classes">
      <h2 id="classes">
        Classes <Tally knowledge={knowledge} of={total} />
      </h2>
      {all.length === 0 ? (
        <Nothing knowledge={knowledge} what="classes">
          There are no classes that you can see. Claims without a class wait.
        </Nothing>
      ) : offers.length === 0 ? (
        <NotFound words={words} />
      ) : (
        <div className="scroll">
          <table className="stacked">
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
                    <Description object={object} />
                    <Obstacles obstacles={obstaclesOf(world, served, object)} />
                  </th>
                  <td data-title="For claims of">
                    {claimsOf(world, object)
                      .map(({ kind }) => kind)
                      .join(', ')}
                  </td>
                  <td data-title="Makes">{makesText(makesOf(world, object))}</td>
                  <td data-title="Labels">
                    <div>
                      {Object.entries(object.metadata.labels ?? {}).map(([key, value]) => (
                        <code key={key} className="label">
                          {key}={value}
                        </code>
                      ))}
                    </div>
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

const isOfferWanted = (words: Words, object: KubeObject, others: readonly { readonly group: string; readonly kind: string }[]): boolean =>
  isWanted(
    words,
    object.metadata.name,
    object.kind,
    descriptionOf(object),
    ...Object.entries(object.metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...others.map(({ group, kind }) => `${kind} ${group}`),
  )

function Description({ object }: { readonly object: KubeObject }): ReactNode {
  const description = descriptionOf(object)
  return description === undefined ? null : <p className="description">{firstSentence(description)}</p>
}

const makesText = (made: ReturnType<typeof makesOf>): string =>
  made.map(({ kind, count: n }) => (n > 1 ? `${n} × ${kind}` : kind)).join(', ')

function Offers({ role, words }: { readonly role: 'definition' | 'composition'; readonly words: Words }): ReactNode {
  const world = useWorld()
  const served = useServed()
  const all = useOffers(role)
  const offers = all.filter(({ object }) => isOfferWanted(words, object, [...makesOf(world, object), composedBy(object)]))
  const knowledge = useKnowledge(useCallback((kind: KindInfo) => roleOf(kind) === role, [role]))
  const heading = `${role}s`
  return (
    <section className="card" aria-labelledby={heading}>
      <h2 id={heading}>
        {ROLE_NAMES[role].many} <Tally knowledge={knowledge} of={all.length} />
      </h2>
      {all.length === 0 ? (
        <Nothing knowledge={knowledge} what={ROLE_NAMES[role].many.toLowerCase()}>
          None are visible to you.
        </Nothing>
      ) : offers.length === 0 ? (
        <NotFound words={words} />
      ) : (
        <div className="scroll">
          <table className="stacked">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">{role === 'definition' ? 'State' : 'For'}</th>
                <th scope="col">Makes</th>
              </tr>
            </thead>
            <tbody>
              {offers.map(({ collection, object }) => (
                <tr key={object.metadata.uid}>
                  <th scope="row">
                    <Link to={routeTo(collection.kind, undefined, object.metadata.name ?? '')}>{object.metadata.name}</Link>{' '}
                    <span className="muted">{object.kind}</span>
                    <Description object={object} />
                    <Obstacles obstacles={obstaclesOf(world, served, object)} />
                  </th>
                  {role === 'definition' ? (
                    <td data-title="State">
                      <StateBadge state={stateOf(object, role)} />
                    </td>
                  ) : (
                    <td data-title="For">{composedBy(object).kind}</td>
                  )}
                  <td data-title="Makes">{makesText(makesOf(world, object))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
