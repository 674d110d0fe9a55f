import { formatFieldErrors, type Schema } from '@weft/api'
import type { Client } from '@weft/client'
import { conditionOf } from '@weft/composition'
import { watch } from '@weft/runtime'
import { hasFinalizer, withFinalizer, withoutFinalizer } from '../binding/finalizers.ts'
import { schemaOf } from '../composite/kind-index.ts'
import { checkTemplate } from '../composite/render-crd.ts'
import { definedKind } from '../definition/custom-resource-definition.ts'
import { type DefinedKind, type DefinitionAdapter, PUBLISHED_FINALIZER } from '../definition/definition.ts'
import {
  type CompositeDefinition,
  infrastructureDefinitionKind,
  type InfrastructurePublication,
  infrastructurePublicationKind,
} from '../definition/kinds.ts'
import { type KindController, kindControllers } from '../definition/kind-controllers.ts'
import type { DefinitionServices } from '../definition/services.ts'
import { requirementController } from './controller.ts'
import { renderRequirementKind } from './requirement-kind.ts'

/** C26, C27: a publication makes the namespaced requirement of an infrastructure kind, and holds the definition of that kind. */
export function publicationAdapter(services: DefinitionServices): DefinitionAdapter<InfrastructurePublication> {
  /** What each publication publishes; known once it was rendered. */
  const published = new Map<string, DefinedKind>()
  const controllers = kindControllers(services.engine, (served: ServedRequirement, kind) =>
    requirementKindController(served, kind, services),
  )
  return {
    component: 'definition/publication',
    kind: infrastructurePublicationKind,
    noun: 'Requirement',
    finalizer: PUBLISHED_FINALIZER,
    watches: [
      watch<CompositeDefinition, InfrastructurePublication>({
        kind: infrastructureDefinitionKind,
        map: ({ metadata: { name = '' } }) => [{ name }],
      }),
    ],
    render(publication, { cached }) {
      const name = publication.metadata.name ?? ''
      const reference = publication.spec.infrastructureDefinitionReference.name
      if (reference !== name)
        return {
          type: 'blocked',
          message: `metadata.name must be ${reference}, the name of the InfrastructureDefinition that is published`,
        }
      const definition = cached(infrastructureDefinitionKind).get({ name })
      const problem = problemWith(definition, name)
      if (definition === undefined || problem !== undefined) return { type: 'blocked', message: problem ?? '' }
      const template = definition.spec.crdSpecTemplate
      published.set(name, {
        group: template.group,
        version: template.version,
        kind: template.names.kind,
        plural: template.names.plural,
        namespaced: false,
      })
      return { type: 'wanted', crd: renderRequirementKind(publication, template) }
    },
    claim: (publication, client) => holdDefinition(client, publication.metadata.name ?? '', true),
    async start({ metadata }, crd) {
      const composite = published.get(metadata.name ?? '')
      const kind = definedKind(crd)
      if (composite === undefined) return
      await controllers.start({ metadata, composite, schema: schemaOf(crd, kind.version)?.properties?.['spec'] }, kind)
    },
    stop: (name) => controllers.stop(name),
    release: (publication, client) => holdDefinition(client, publication.metadata.name ?? '', false),
  }
}

/** What a publication made, as it is now. */
interface ServedRequirement extends Pick<InfrastructurePublication, 'metadata'> {
  /** The kind that it requires. */
  readonly composite: DefinedKind
  /** Of its spec. */
  readonly schema: Schema | undefined
}

function requirementKindController(
  { composite, schema: initial }: ServedRequirement,
  kind: DefinedKind,
  services: DefinitionServices,
): KindController<ServedRequirement> {
  let schema = initial
  return {
    kind,
    spec: requirementController({ kind, composite, services, schema: () => schema }),
    configure: (served) => void (schema = served.schema),
  }
}

function problemWith(definition: CompositeDefinition | undefined, name: string): string | undefined {
  if (definition === undefined) return `InfrastructureDefinition ${name} does not exist: only kinds that one defines can be published`
  const errors = checkTemplate(definition.spec.crdSpecTemplate, name)
  if (errors.length > 0) return formatFieldErrors(errors)
  // One that is on its way out goes on serving those who already use it.
  if (definition.metadata.deletionTimestamp !== undefined)
    return hasFinalizer(definition, PUBLISHED_FINALIZER) ? undefined : `InfrastructureDefinition ${name} is being deleted`
  return conditionOf(definition, 'Established')?.status === 'True' ? undefined : `InfrastructureDefinition ${name} is not established yet`
}

/** A definition that is published cannot go; one whose publication is gone can. */
async function holdDefinition(client: Client, name: string, hold: boolean): Promise<void> {
  const definition = await client.find(infrastructureDefinitionKind, { name })
  if (definition === undefined || (hold && definition.metadata.deletionTimestamp !== undefined)) return
  const next = hold ? withFinalizer(definition, PUBLISHED_FINALIZER) : withoutFinalizer(definition, PUBLISHED_FINALIZER)
  if (next !== definition) await client.update(next)
}
