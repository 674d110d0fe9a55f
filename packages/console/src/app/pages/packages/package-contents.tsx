import type { KubeObject } from '@weft/api'
import { type ReactNode, useMemo } from 'react'
import { installedPackages, isPackage, isPackageRevision } from '../../objects/installed-packages.ts'
import { providerPackageOf } from '../../objects/provider-package.ts'
import { Fact } from '../../parts/fact.tsx'
import { Nothing } from '../../parts/nothing.tsx'
import { Tally } from '../../parts/tally.tsx'
import { useWorld } from '../../session/console.tsx'
import { useKnowledge, useWatched } from '../../session/use-knowledge.ts'
import { ManagedKindTable } from './managed-kind-table.tsx'
import { isManagedDefinition, managedKinds } from './managed-kinds.ts'
import { PackageActions } from './package-actions.tsx'

/** On the page of a package: where it comes from, what can be done with it, and which kinds it brings. */
export default function PackageContents({ object }: { readonly object: KubeObject }): ReactNode {
  const world = useWorld()
  useWatched(isPackage)
  useWatched(isPackageRevision)
  const installed = useMemo(
    () => installedPackages(world).find((each) => each.object.metadata.uid === object.metadata.uid),
    [world, object.metadata.uid],
  )
  return (
    <>
      {installed !== undefined && (
        <section className="card wide" aria-labelledby="package">
          <h2 id="package">Package</h2>
          <dl className="facts">
            <Fact name="Source">
              <code>{installed.source}</code>
            </Fact>
            <Fact name="Installed">{installed.installed}</Fact>
            <Fact name="Healthy">{installed.healthy}</Fact>
          </dl>
          <PackageActions installed={installed} />
        </section>
      )}
      {object.kind === 'Provider' && <KindsOf provider={object.metadata.name ?? ''} />}
    </>
  )
}

function KindsOf({ provider }: { readonly provider: string }): ReactNode {
  const world = useWorld()
  const knowledge = useKnowledge(isManagedDefinition)
  const kinds = useMemo(
    () => [...managedKinds(world).values()].flat().filter((kind) => providerPackageOf(world, kind)?.name === provider),
    [world, provider],
  )
  return (
    <section className="card wide" aria-labelledby="kinds-of-package">
      <h2 id="kinds-of-package">
        Kinds that it brings <Tally knowledge={knowledge} of={kinds.length} />
      </h2>
      {kinds.length === 0 ? (
        <Nothing knowledge={knowledge} what="managed kinds">
          The package contains no managed kinds.
        </Nothing>
      ) : (
        <ManagedKindTable kinds={kinds} ofGroups={new Set(kinds.map(({ group }) => group)).size > 1} />
      )}
    </section>
  )
}
