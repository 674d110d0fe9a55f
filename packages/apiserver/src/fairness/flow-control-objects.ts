import type { Catalog, ObjectStore } from '../registry/index.ts'
import type { FlowControlObjects } from './fairness.ts'

export const FLOW_CONTROL_GROUP = 'flowcontrol.apiserver.k8s.io'

/** The configuration as it is stored. */
export function flowControlObjects(catalog: Catalog): FlowControlObjects {
  const store = (plural: string): ObjectStore => catalog.store(catalog.builtIn(FLOW_CONTROL_GROUP, plural))
  const [schemas, levels] = [store('flowschemas'), store('prioritylevelconfigurations')]
  const all = (from: ObjectStore) => () => from.scan(from.prefix).map(({ object }) => object)
  return {
    flowSchemas: all(schemas),
    priorityLevels: all(levels),
    onChange(listener) {
      const cancels = [schemas, levels].map((each) => each.follow(each.revision, listener))
      return () => {
        for (const cancel of cancels) cancel()
      }
    },
  }
}
