import { getOwn, isJsonObject } from '@weft/api'
import { type ReactNode, useMemo } from 'react'
import { Nothing } from '../../parts/nothing.tsx'
import { routeTo } from '../../parts/object-link.tsx'
import { Page } from '../../parts/page.tsx'
import { Tally } from '../../parts/tally.tsx'
import { Link } from '../../routing/navigation.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useKnowledge, useWatched } from '../../session/use-knowledge.ts'
import { ManagedKindTable } from './managed-kind-table.tsx'
import { isManagedDefinition, isPolicy, managedKinds, POLICY } from './managed-kinds.ts'
import { InstallButton, PackageActions } from './package-actions.tsx'
import { ProviderConfigs } from './provider-configs.tsx'
import { type InstalledPackage, installedPackages, isPackage, isPackageRevision, PACKAGE_KINDS } from '../../objects/installed-packages.ts'

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
  useWatched(isPackageRevision)
  const hidden = PACKAGE_KINDS.filter((name) => world.collections.get(`${name}.pkg.crossplane.io`)?.state.phase === 'refused')
  return (
    <section className="card" aria-labelledby="packages">
      <h2 id="packages">Packages {(hidden.length === 0 || packages.length > 0) && <Tally knowledge={knowledge} of={packages.length} />}</h2>
      {knowledge.phase === 'known' && hidden.length > 0 && <p className="calm">You may not see packages of kind {hidden.join(', ')}.</p>}
      {packages.length === 0 && (
        <Nothing knowledge={knowledge} what="packages">
          {hidden.length > 0 ? '' : served ? 'None is installed.' : 'This server does not install packages. Its providers are built in.'}
        </Nothing>
      )}
      {packages.length > 0 && (
        <div className="scroll">
          <table className="stacked packages">
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

function ManagedKinds(): ReactNode {
  const world = useWorld()
  const knowledge = useKnowledge(isManagedDefinition)
  const groups = useMemo(() => managedKinds(world), [world])
  return (
    <section className="card" aria-labelledby="managed-kinds">
      <h2 id="managed-kinds">Managed kinds</h2>
      {groups.size === 0 && (
        <Nothing knowledge={knowledge} what="managed kinds">
          There are none. Managed kinds come with providers.
        </Nothing>
      )}
      {[...groups].map(([group, kinds]) => (
        <section key={group} aria-label={group}>
          <h3>
            {group} <span className="muted">{kinds.length}</span>
          </h3>
          <ManagedKindTable kinds={kinds} />
        </section>
      ))}
    </section>
  )
}
