import { createHash } from 'node:crypto'
import { getOwn, goYaml, isJsonObject, type KubeObject, specOf } from '@weft/api'

/**
 * K40: what a Composition says, as 64 hexadecimal digits. Labels and annotations count: editing them makes a revision too. Equal to
 * Crossplane's, so that revisions have the same names whoever made them.
 */
export function compositionHash(composition: KubeObject): string {
  const { labels, annotations } = composition.metadata
  const spec = pipelineSpec(composition)
  return createHash('sha256')
    .update(goYaml(labels ?? null))
    .update(goYaml(annotations ?? null))
    .update(goYaml(spec))
    .digest('hex')
}

/** The fields of a pipeline, and no others: what a revision holds, without what is empty. */
export function pipelineSpec(composition: KubeObject): Readonly<Record<string, unknown>> {
  const spec = specOf(composition)
  const fields = ['compositeTypeRef', 'mode', 'pipeline', 'writeConnectionSecretsToNamespace']
  return Object.fromEntries(fields.map((name) => [name, getOwn(spec, name)] as const).filter(([, value]) => value !== undefined))
}

export const isPipeline = (composition: KubeObject): boolean => {
  const spec = specOf(composition)
  return isJsonObject(getOwn(spec, 'compositeTypeRef')) && Array.isArray(getOwn(spec, 'pipeline'))
}
