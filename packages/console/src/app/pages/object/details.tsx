import { type KubeObject } from '@weft/api'
import { ownerOf } from '@weft/composition'
import type { ReactNode } from 'react'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Fact } from '../../parts/fact.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { classOf } from '../../../world/class-of.ts'

/** The few facts that people look for in the YAML. */
export function Details({ object }: { readonly object: KubeObject }): ReactNode {
  const owner = ownerOf(object)
  const source = classOf(object)
  const { labels = {}, finalizers = [], uid } = object.metadata
  return (
    <section className="card" aria-labelledby="details">
      <h2 id="details">Details</h2>
      <dl className="facts">
        {owner !== undefined && (
          <Fact name="Made for">
            <ObjectLink object={owner} />
          </Fact>
        )}
        {source !== undefined && (
          <Fact name="Made from">
            <ObjectLink object={source} />
          </Fact>
        )}
        {Object.entries(labels).length > 0 && (
          <Fact name="Labels">
            {Object.entries(labels).map(([key, value]) => (
              <code key={key} className="label">
                {key}={value}
              </code>
            ))}
          </Fact>
        )}
        {finalizers.length > 0 && <Fact name="Finalizers">{finalizers.join(', ')}</Fact>}
        <Fact name="UID">
          <code>{uid}</code> <CopyButton text={uid ?? ''} what="the UID" />
        </Fact>
      </dl>
    </section>
  )
}
