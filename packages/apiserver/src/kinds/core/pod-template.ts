import { column, formatLabels, nameColumn } from '../column.ts'
import { type BuiltinKind, builtin } from '../kind.ts'
import { listAt, recordAt, textAt } from '../read.ts'
import { tableMessage } from '../tables/index.ts'

/** Storage only: templates are neither defaulted nor checked, because no pod is ever made from them here. */
export const podTemplate: BuiltinKind = builtin({
  group: '',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespaced: true,
  message: tableMessage('io.k8s.api.core.v1.PodTemplate'),
  columns: [
    nameColumn,
    column('Containers', 'Names of the containers.', (object) => containers(object, 'name')),
    column('Images', 'Images of the containers.', (object) => containers(object, 'image')),
    column('Pod Labels', 'Labels of the pods.', (object) => formatLabels(recordAt(object, 'template', 'metadata', 'labels'))),
  ],
  generation: ['template'],
})

const containers = (object: object, name: string): string =>
  listAt(object, 'template', 'spec', 'containers')
    .map((container) => textAt(container, name))
    .join(',')
