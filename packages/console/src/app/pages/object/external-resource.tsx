import type { KubeObject } from '@weft/api'
import { externalName } from '@weft/composition'
import { type ReactNode, useEffect, useMemo } from 'react'
import type { KindInfo } from '../../../kinds/kind-info.ts'
import { observedFacts, providerConfigOf } from '../../objects/external-place.ts'
import { definitionsOf, isProviderRevision, providerPackageOf } from '../../objects/provider-package.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Fact } from '../../parts/fact.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { Leaf } from '../../parts/value-tree.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useWatched } from '../../session/use-knowledge.ts'

/** What a managed resource stands for: its name out there, who looks after it, with which account, and what was seen of it. */
export function ExternalResource({ kind, object }: { readonly kind: KindInfo; readonly object: KubeObject }): ReactNode {
  const world = useWorld()
  const { kinds, watchObjects } = useConsole()
  useEffect(() => watchObjects(definitionsOf(kind)), [watchObjects, kind])
  useWatched(isProviderRevision)
  const provider = useMemo(() => providerPackageOf(world, kind), [world, kind])
  const config = useMemo(() => providerConfigOf(object, kinds.all), [object, kinds])
  const name = externalName(object)
  return (
    <section className="card" aria-labelledby="external">
      <h2 id="external">External resource</h2>
      <dl className="facts">
        <Fact name="External name">
          <code>{name}</code> <CopyButton text={name} what="the external name" />
        </Fact>
        {provider !== undefined && (
          <Fact name="Provider">
            <ObjectLink object={provider}>{provider.name}</ObjectLink>
          </Fact>
        )}
        {config !== undefined && (
          <Fact name="Configuration">
            {config.ref === undefined ? config.name : <ObjectLink object={config.ref}>{config.name}</ObjectLink>}
          </Fact>
        )}
        {observedFacts(object).map(([field, value]) => (
          <Fact key={field} name={field}>
            <Leaf value={value} />
          </Fact>
        ))}
      </dl>
    </section>
  )
}
