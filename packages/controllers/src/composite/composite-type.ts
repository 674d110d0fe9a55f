import type { MachineryPlace } from '@weft/composition'

/** What tells the two kinds of composite apart (C11, C12). */
export interface CompositeType {
  readonly name: 'Application' | 'Infrastructure'
  /** Where the injected fields are (C10). */
  readonly place: Exclude<MachineryPlace, 'spec'>
  /** The injected field. */
  readonly field: 'application' | 'infrastructure'
  readonly scope: 'Namespaced' | 'Cluster'
  readonly category: string
}

export const APPLICATION: CompositeType = {
  name: 'Application',
  place: 'spec.application',
  field: 'application',
  scope: 'Namespaced',
  category: 'application',
}
export const INFRASTRUCTURE: CompositeType = {
  name: 'Infrastructure',
  place: 'spec.infrastructure',
  field: 'infrastructure',
  scope: 'Cluster',
  category: 'composite',
}
