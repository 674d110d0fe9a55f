import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { type ReactNode, useMemo } from 'react'
import { definitionState, ownReason } from '../../../world/state.ts'
import { type KindInfo, kindKey } from '../../../kinds/kind-info.ts'
import { Nothing } from '../../parts/nothing.tsx'
import { routeTo } from '../../parts/object-link.tsx'
import { Page } from '../../parts/page.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Tally } from '../../parts/tally.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { Link } from '../../routing/navigation.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useKnowledge, useWatched } from '../../session/use-knowledge.ts'
import { type ManagedKind, managedKinds } from './managed-kinds.ts'
import { InstallButton, PackageActions } from './package-actions.tsx'
import { ProviderConfigs } from './provider-configs.tsx'
import { type InstalledPackage, installedPackages, PACKAGE_KINDS } from '../../objects/installed-packages.ts'

export default function Packages(): ReactNode {
  return (
    <Page title="Packages and kinds" aside={<InstallButton />}>
      <Installed />
      <ProviderConfigs />
      <Policies />
      <ManagedKinds />
    </Page>
  )
}

function Installed(): ReactNode {
  const world = useWorld()
  const { kinds } = useConsole()
  const packages = useMemo(() => installedPackages(world), [world])
  const served = kinds.byKind('pkg.crossplane.io', 'Provider') !== undefined
  const knowledge = useKnowledge(isPackage)
  useWatched(isRevision)
  const hidden = PACKAGE_KINDS.filter((name) => world.collections.get(`${name}.pkg.crossplane.io`)?.state.phase === 'refused')
  return (
    <section className="card" aria-labelledby="packages">
      <h2 id="packages">Packages {(hidden.length === 0 || packages.length > 0) && <Tally knowledge={knowledge} of={packages.length} />}</h2>
      {knowledge.phase === 'known' && hidden.length > 0 && <p className="calm">You may not see packages of kind {hidden.join(', ')}.</p>}
      {packages.length === 0 && (
        <Nothing knowledge={knowledge} what="packages">
          {hidden.length > 0 ? '' : served ? 'None is installed.' : 'This server installs no packages; its providers are built in.'}
        </Nothing>
      )}
      {packages.length > 0 && (
        <div className="scroll">
          <table className="stacked">
            <thead>
              <tr>
                <th scope="col">Package</th>
                <th scope="col">Source</th>
                <th scope="col">Installed</th>
                <th scope="col">Healthy</th>
                <th scope="col">Revisions</th>
                <th scope="col">
                  <span className="unseen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {packages.map((each) => (
                <PackageRow key={each.object.metadata.uid} installed={each} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function PackageRow({ installed: each }: { readonly installed: InstalledPackage }): ReactNode {
  const { kind, object, source, installed, healthy, revisions } = each
  return (
    <tr>
      <th scope="row">
        <Link to={routeTo(kind, undefined, object.metadata.name ?? '')}>{object.metadata.name}</Link>{' '}
        <span className="muted">{object.kind}</span>
      </th>
      <td data-title="Source">
        <code>{source}</code>
      </td>
      <td data-title="Installed">{installed}</td>
      <td data-title="Healthy">{healthy}</td>
      <td data-title="Revisions">
        <ul className="plain">
          {revisions.map((revision) => (
            <li key={revision.object.metadata.uid}>
              <Link to={routeTo(revision.kind, undefined, revision.object.metadata.name ?? '')}>{revision.object.metadata.name}</Link>{' '}
              <span className={revision.active ? 'pill' : 'muted'}>{revision.active ? 'active' : 'inactive'}</span>
            </li>
          ))}
        </ul>
      </td>
      <td>
        <PackageActions installed={each} />
      </td>
    </tr>
  )
}

const isPackage = ({ group, kind }: KindInfo): boolean => group === 'pkg.crossplane.io' && PACKAGE_KINDS.includes(kind)

const isRevision = ({ group, kind }: KindInfo): boolean =>
  group === 'pkg.crossplane.io' && PACKAGE_KINDS.some((each) => kind === `${each}Revision`)

const isPolicy = (kind: KindInfo): boolean => kindKey(kind) === POLICY

const POLICY = 'ManagedResourceActivationPolicy.apiextensions.crossplane.io'

function Policies(): ReactNode {
  const world = useWorld()
  useWatched(isPolicy)
  const collection = world.collections.get(POLICY)
  const policies = [...(collection?.objects.values() ?? [])]
  if (collection === undefined || policies.length === 0) return null
  return (
    <section className="card" aria-labelledby="policies">
      <h2 id="policies">Activation policies</h2>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Policy</th>
              <th scope="col">Activates</th>
              <th scope="col" className="number">
                Activated
              </th>
            </tr>
          </thead>
          <tbody>
            {policies.map((policy) => (
              <tr key={policy.metadata.uid}>
                <th scope="row">
                  <Link to={routeTo(collection.kind, undefined, policy.metadata.name ?? '')}>{policy.metadata.name}</Link>
                </th>
                <td>
                  {strings(policy['spec'], 'activate').map((pattern) => (
                    <code key={pattern} className="label">
                      {pattern}
                    </code>
                  ))}
                </td>
                <td className="number">{strings(policy['status'], 'activated').length}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function strings(holder: unknown, field: string): readonly string[] {
  const list = isJsonObject(holder) ? getOwn(holder, field) : undefined
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : []
}

const DEFINITION = 'ManagedResourceDefinition.apiextensions.crossplane.io'

const isManagedDefinition = (kind: KindInfo): boolean => kindKey(kind) === DEFINITION

function ManagedKinds(): ReactNode {
  const world = useWorld()
  const knowledge = useKnowledge(isManagedDefinition)
  const groups = useMemo(() => managedKinds(world), [world])
  return (
    <section className="card" aria-labelledby="managed-kinds">
      <h2 id="managed-kinds">Managed kinds</h2>
      {groups.size === 0 && (
        <Nothing knowledge={knowledge} what="managed kinds">
          There are none: providers bring them.
        </Nothing>
      )}
      {[...groups].map(([group, kinds]) => (
        <section key={group} aria-label={group}>
          <h3>
            {group} <span className="muted">{kinds.length}</span>
          </h3>
          <div className="scroll">
            <table className="even">
              <thead>
                <tr>
                  <th scope="col">Kind</th>
                  <th scope="col">State</th>
                  <th scope="col">Activated by</th>
                  <th scope="col">Connection details</th>
                </tr>
              </thead>
              <tbody>
                {kinds.map((kind) => (
                  <ManagedKindRow key={kind.object.metadata.uid} managed={kind} />
                ))}
              </tbody>
            </table>
          </div>
        </section>
      ))}
    </section>
  )
}

function ManagedKindRow({
  managed: { object, kind, plural, group, active, policies, details },
}: {
  readonly managed: ManagedKind
}): ReactNode {
  const { kinds } = useConsole()
  const definition = kinds.byKind('apiextensions.crossplane.io', 'ManagedResourceDefinition')
  const served = kinds.byPlural(group, plural)
  return (
    <tr>
      <th scope="row">
        {definition === undefined ? kind : <Link to={routeTo(definition, undefined, object.metadata.name ?? '')}>{kind}</Link>}{' '}
        {served !== undefined && (
          <Link to={{ page: 'kind', group, plural }} className="muted" aria-label={`Objects of ${kind}`}>
            objects
          </Link>
        )}
      </th>
      <td>{active ? <Served object={object} /> : <span className="muted">Inactive</span>}</td>
      <td>{policies.length > 0 ? policies.join(', ') : active ? 'by hand' : <span className="muted">no policy</span>}</td>
      <td>
        {details.length === 0 ? (
          <span className="muted">none declared</span>
        ) : (
          details.map(({ name, description }) => (
            <code key={name} className="label" title={description}>
              {name}
            </code>
          ))
        )}
      </td>
    </tr>
  )
}

function Served({ object }: { readonly object: KubeObject }): ReactNode {
  const state = definitionState(object)
  return (
    <>
      {state === 'ready' ? 'Active' : <StateBadge state={state} />}{' '}
      {state === 'ready' ? null : <span className="why">{ownReason(object)}</span>}
      <span className="unseen">
        since <TimeAgo at={object.metadata.creationTimestamp} />
      </span>
    </>
  )
}
