import { useQuery } from '@tanstack/react-query'
import { formatGroupVersion, getOwn, isJsonObject, type KubeObject, parseGroupVersion, type Schema } from '@weft/api'
import { type ReactNode, useMemo } from 'react'
import type { Rendered } from '../../../contract.ts'
import { Code } from '../../editor/code.tsx'
import { toYaml } from '../../editor/yaml-text.ts'
import type { KindInfo } from '../../../kinds/kind-info.ts'
import { claimsOf } from '../../../world/makes.ts'
import { exampleContext } from '../../objects/render-context.ts'
import { Failure, Loading, Notes } from '../../parts/notice.tsx'
import { useSchema } from '../../schema/use-schema.ts'
import { sampleOf } from '../../schema/sample.ts'
import { useConsole, useWorld } from '../../session/console.tsx'

/** What the smallest possible intent would become, by the engine of `weft render`. */
export default function Example({ offer }: { readonly offer: KubeObject }): ReactNode {
  const world = useWorld()
  const { api, kinds } = useConsole()
  const kind = useMemo(() => intentKind(kinds, offer, claimsOf(world, offer)), [kinds, offer, world])
  const { schema, error: schemaError } = useSchema(kind)
  const rendered = useQuery({
    queryKey: ['example', offer.metadata.uid, offer.metadata.resourceVersion],
    enabled: schema !== undefined,
    retry: false,
    queryFn: ({ signal }) => {
      const intent = kind !== undefined && schema !== undefined ? exampleOf(kind, schema, offer) : offer
      return api.send<Rendered>('POST', '/console/render', { intent, context: exampleContext(world, intent, offer) }, { signal })
    },
  })
  const text = useMemo(() => rendered.data?.objects.map(({ object }) => toYaml(object)).join('---\n'), [rendered.data])
  if (kind === undefined)
    return <p className="calm">The kind that this composition is for is not served at the moment, so there is nothing to render.</p>
  return (
    <>
      <Failure error={schemaError ?? rendered.error} doing="The result cannot be rendered" />
      {rendered.isPending && rendered.error === null && schemaError === null && <Loading what="the example" />}
      {text !== undefined && (
        <>
          <p className="muted">The smallest {kind.kind} would create:</p>
          <Notes notes={rendered.data?.notes} />
          <Code label="Rendered example" text={text} />
        </>
      )}
    </>
  )
}

interface KindLookup {
  byKind(group: string, kind: string): KindInfo | undefined
}

function intentKind(
  kinds: KindLookup,
  offer: KubeObject,
  claims: readonly { readonly group: string; readonly kind: string }[],
): KindInfo | undefined {
  const spec = offer['spec']
  const from = isJsonObject(spec) ? getOwn(spec, 'from') : undefined
  if (offer.kind === 'Composition' && isJsonObject(from)) {
    const { apiVersion, kind } = from
    return typeof apiVersion === 'string' && typeof kind === 'string' ? kinds.byKind(parseGroupVersion(apiVersion).group, kind) : undefined
  }
  const [claim] = claims
  return claim && kinds.byKind(claim.group, claim.kind)
}

function exampleOf(kind: KindInfo, schema: Schema, offer: KubeObject): KubeObject {
  const spec = sampleOf(schema.properties?.['spec'] ?? {})
  const { apiVersion, kind: offerKind, metadata } = offer
  const ref = { apiVersion, kind: offerKind, name: metadata.name ?? '' }
  const machinery =
    offer.kind === 'Composition' ? { [kind.namespaced ? 'application' : 'infrastructure']: { compositionRef: ref } } : { classRef: ref }
  return {
    apiVersion: formatGroupVersion(kind),
    kind: kind.kind,
    metadata: { name: 'example', ...(kind.namespaced && { namespace: 'default' }) },
    spec: { ...(isJsonObject(spec) ? spec : {}), ...machinery },
  }
}
