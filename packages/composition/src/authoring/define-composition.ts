import { formatFieldErrors, type JsonObject, type KubeObject, type Labels } from '@weft/api'
import { contractErrors } from '../connection/collect.ts'
import { parseTemplateSource } from '../template/adapters.ts'
import { AuthoringError } from './authoring-error.ts'
import { type Fields, fieldsOf } from './fields.ts'
import type { Kind, Resource } from './kind.ts'
import type { ComposedResource } from './resource.ts'

export interface CompositionOptions {
  readonly name: string
  readonly labels?: Labels
  readonly annotations?: Readonly<Record<string, string>>
  /** Where composites publish their connection secret if their author did not say (B38). */
  readonly secretNamespace?: string
}

/** The document, ready to be applied. */
export interface Composition extends KubeObject {
  readonly spec: JsonObject
}

/**
 * A Composition from TypeScript: an ordinary one, as if written by hand. Throws an AuthoringError for what types cannot tell: a promised connection
 * detail that no resource provides or two do, a transform that is not valid, fields of another composite.
 */
export function defineComposition<C extends Resource, Details extends string = string>(
  composite: Kind<C, Details>,
  { name, labels, annotations, secretNamespace }: CompositionOptions,
  compose: (composite: Fields<C, 'composite'>) => readonly ComposedResource<NoInfer<Details>>[],
): Composition {
  const root = { side: 'composite', label: composite.kind } as const
  const to = compose(fieldsOf<C, 'composite'>(root))
  const stranger = to.flatMap(({ roots }) => roots).find((used) => used !== root)
  if (stranger !== undefined)
    throw new AuthoringError(`Composition ${name} uses fields of ${stranger.label}, which is not the composite it is for`)
  const composition: Composition = {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'Composition',
    metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
    spec: {
      from: { apiVersion: composite.apiVersion, kind: composite.kind },
      ...(secretNamespace !== undefined && { writeConnectionSecretsToNamespace: secretNamespace }),
      to: to.map(({ document }) => document),
    },
  }
  const source = parseTemplateSource(composition)
  const errors = source.ok ? contractErrors(composite.connectionDetails ?? [], source.value.templates) : source.error
  if (errors.length > 0) throw new AuthoringError(`Composition ${name}: ${formatFieldErrors(errors)}`)
  return composition
}
