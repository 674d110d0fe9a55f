import { createHash } from 'node:crypto'
import { getOwn, goYaml, isJsonObject, type KubeObject, specOf } from '@weft/api'

/**
 * K40: what a Composition says, as 64 hexadecimal digits. Labels and annotations count: editing them makes a revision too. Equal to
 * Crossplane's, so that revisions have the same names whoever made them.
 */
export function compositionHash(composition: KubeObject): string {
  const { labels, annotations } = composition.metadata
  const spec = pipelineSpec(composition)
  const text = (said: unknown): string => goYaml(isEmpty(said) ? null : said)
  return createHash('sha256').update(text(labels)).update(text(annotations)).update(goYaml(spec)).digest('hex')
}

/**
 * The fields of a pipeline, and no others: what a revision holds. Lists and labels without anything in them are left out, as Crossplane leaves them
 * out: its revisions would not be known again.
 */
export function pipelineSpec(composition: KubeObject): Readonly<Record<string, unknown>> {
  const spec = specOf(composition)
  const fields = ['compositeTypeRef', 'mode', 'pipeline', 'writeConnectionSecretsToNamespace']
  const kept = Object.fromEntries(fields.map((name) => [name, getOwn(spec, name)] as const).filter(([, value]) => value !== undefined))
  const { pipeline } = kept
  return Array.isArray(pipeline) ? { ...kept, pipeline: pipeline.map(stepWithoutEmpty) } : kept
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0)

function without(object: Readonly<Record<string, unknown>>, ...emptied: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => !(emptied.includes(key) && isEmpty(value))))
}

/** Only what Crossplane itself reads: the input of a function is the author's. */
function stepWithoutEmpty(step: unknown): unknown {
  if (!isJsonObject(step)) return step
  const kept = without(step, 'credentials')
  const { requirements } = kept
  if (!isJsonObject(requirements)) return kept
  const wanted = without(requirements, 'requiredResources', 'requiredSchemas')
  const { requiredResources } = wanted
  const selectors = Array.isArray(requiredResources) && {
    requiredResources: requiredResources.map((each: unknown) => (isJsonObject(each) ? without(each, 'matchLabels') : each)),
  }
  return { ...kept, requirements: { ...wanted, ...selectors } }
}

export const isPipeline = (composition: KubeObject): boolean => {
  const spec = specOf(composition)
  return isJsonObject(getOwn(spec, 'compositeTypeRef')) && Array.isArray(getOwn(spec, 'pipeline'))
}
