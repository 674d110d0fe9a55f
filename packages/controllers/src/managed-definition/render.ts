import { isJsonObject } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/client'
import { definitionVersions } from '@weft/composition'
import { renderMetadata } from '../definition/custom-resource-definition.ts'
import type { ManagedResourceDefinition } from '../definition/kinds.ts'

type Version = CustomResourceDefinition['spec']['versions'][number]

/** M2: a CustomResourceDefinition is the MRD without the two fields that are its own. */
export function renderManagedKind(definition: ManagedResourceDefinition): CustomResourceDefinition {
  const { connectionDetails: _details, state: _state, versions, scope = 'Cluster', ...rest } = definition.spec
  const sorted = definitionVersions(versions).toSorted((a, b) => compare(String(a['name']), String(b['name'])))
  const stored = sorted.some(({ storage }) => storage === true)
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: renderMetadata(definition, definition.metadata.name ?? ''),
    spec: {
      ...rest,
      scope,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as its author wrote them: the server says what is missing, in its words
      names: rest.names as CustomResourceDefinition['spec']['names'],
      versions: sorted.map((version, i) => renderVersion(version, !stored && i === sorted.length - 1)),
    },
  }
}

/**
 * Every managed resource reports its state, so a version that says nothing of subresources gets `status`; one that says nothing of columns
 * gets those that tell whether it works.
 */
function renderVersion(version: Readonly<Record<string, unknown>>, storage: boolean): Version {
  return {
    served: true,
    storage,
    ...version,
    name: String(version['name']),
    ...(!isJsonObject(version['subresources']) && { subresources: { status: {} } }),
    ...(!Array.isArray(version['additionalPrinterColumns']) && { additionalPrinterColumns: COLUMNS }),
  }
}

const conditionColumn = (name: string, type: string) => ({
  name,
  type: 'string',
  jsonPath: `.status.conditions[?(@.type=="${type}")].status`,
})

const COLUMNS = [
  conditionColumn('Ready', 'Ready'),
  conditionColumn('Synced', 'Synced'),
  { name: 'External-Name', type: 'string', jsonPath: '.metadata.annotations.crossplane\\.io/external-name' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
]

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
