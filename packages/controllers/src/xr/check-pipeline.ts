import { childPath, field, getOwn, gvkOf, isJsonObject, type KubeObject, parseGroupVersion, specOf } from '@weft/api'
import type { ComposedTemplate } from '@weft/composition'
import { checkComposition, checkTemplate, type CompositionProblem, type CompositionSchemas } from '../composite/check-composition.ts'
import { parseComposition } from '../composite/composition-source.ts'
import { isPipeline } from '../revision/composition-hash.ts'
import { stepsOf } from './pipeline.ts'

/** A Composition of either kind. */
export const checkAnyComposition = (composition: KubeObject, schemas: CompositionSchemas): readonly CompositionProblem[] =>
  isPipeline(composition) ? checkPipeline(composition, schemas) : checkComposition(composition, schemas)

/**
 * What can be told of a pipeline before its functions are asked: of the templates that patch-and-transform is given, kinds that nobody serves, and paths and
 * types that do not fit the schemas on either side, and kinds that no composite of a namespace can have. Warnings only: a function may know better, and a kind may come.
 */
export function checkPipeline(composition: KubeObject, schemas: CompositionSchemas): readonly CompositionProblem[] {
  const ref = specOf(composition)['compositeTypeRef']
  const [apiVersion = '', kind = ''] = isJsonObject(ref) ? [ref['apiVersion'], ref['kind']].map((text) => String(text ?? '')) : []
  const composite = schemas.kind({ ...parseGroupVersion(apiVersion), kind })
  return stepsOf(composition).flatMap(({ input }, step) =>
    templatesOf(input, { apiVersion, kind }).flatMap(({ template, at }) => {
      const patches = template.patches.filter(({ from, to }) => from !== 'environment' && to !== 'environment')
      const problems = checkTemplate({ ...template, patches }, schemas, composite?.schema)
      const placed = composite?.namespaced === true ? clusterScoped(template, schemas, kind) : []
      return [...placed, ...problems].map(({ error }): CompositionProblem => {
        const path = error.path.replace(template.origin, `spec.pipeline[${step}].input.resources[${at}]`)
        return { severity: 'warning', error: { ...error, path } }
      })
    }),
  )
}

/** K61: the whole composite would fail. */
function clusterScoped({ base, origin }: ComposedTemplate, schemas: CompositionSchemas, composite: string): readonly CompositionProblem[] {
  if (schemas.kind(gvkOf(base))?.namespaced !== false) return []
  const why = `${base.kind} is cluster-scoped: a ${composite} is namespaced, and can only be composed of resources in its namespace`
  return [{ severity: 'warning', error: field.forbidden(childPath(origin, 'base'), why) }]
}

interface Template {
  readonly template: ComposedTemplate
  readonly at: number
}

/** Read as Weft's own are. One that cannot be is left to the function, whose grammar is another. */
function templatesOf(input: unknown, intent: { readonly apiVersion: string; readonly kind: string }): readonly Template[] {
  if (!isJsonObject(input) || input['kind'] !== 'Resources' || !String(input['apiVersion']).startsWith('pt.fn.crossplane.io/')) return []
  const resources = getOwn(input, 'resources')
  if (!Array.isArray(resources)) return []
  return (resources as readonly unknown[]).flatMap((resource, at) => {
    if (!isJsonObject(resource) || !isJsonObject(getOwn(resource, 'base'))) return []
    const { base, patches } = resource
    const source = parseComposition({
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'Composition',
      metadata: {},
      spec: { from: intent, to: [{ base, ...(patches !== undefined && { patches }) }], patchSets: getOwn(input, 'patchSets') ?? [] },
    })
    return source.ok ? source.value.templates.map((template) => ({ template, at })) : []
  })
}
