import { join } from 'node:path'
import { readDataFiles } from './data-file.ts'
import type { DataNode } from './data-node.ts'
import { readKind } from './read-kind.ts'
import type { SimulatedKind } from './simulated-kind.ts'

/** All kinds the simulated clouds know. */
export interface KindCatalogue {
  readonly kinds: readonly SimulatedKind[]
  find(cloud: string, kind: string): SimulatedKind | undefined
  /** The simulator's kind behind a managed kind. */
  findManaged(group: string, kind: string): SimulatedKind | undefined
}

/** `providers`: directories of provider packages, each with `simcloud/kinds/`. Throws DataFileError. */
export function loadKinds(providers: readonly string[]): KindCatalogue {
  return catalogueOf(providers.flatMap((directory) => readDataFiles(join(directory, 'simcloud', 'kinds'))))
}

export function catalogueOf(documents: readonly DataNode[]): KindCatalogue {
  const byName = new Map<string, SimulatedKind>()
  const byManaged = new Map<string, SimulatedKind>()
  for (const document of documents) {
    const kind = readKind(document)
    const key = `${kind.cloud}/${kind.kind}`
    if (byName.has(key)) document.get('spec').get('kind').fail(`${kind.kind} is already described for ${kind.cloud}`)
    byName.set(key, kind)
    kind.managed.forEach((managed, index) => {
      const id = `${managed.group}/${managed.kind}`
      if (byManaged.has(id))
        document.get('spec').get('managed').list()[index]?.fail(`${managed.kind}.${managed.group} already has a simulated kind`)
      byManaged.set(id, kind)
    })
  }
  for (const document of documents) checkParents(document, byName)
  return {
    kinds: [...byName.values()],
    find: (cloud, kind) => byName.get(`${cloud}/${kind}`),
    findManaged: (group, kind) => byManaged.get(`${group}/${kind}`),
  }
}

function checkParents(document: DataNode, byName: ReadonlyMap<string, SimulatedKind>): void {
  const spec = document.get('spec')
  const cloud = spec.get('cloud').string()
  for (const parent of spec.get('parents').optionalList())
    for (const kind of parent.get('kinds').list())
      if (!byName.has(`${cloud}/${kind.string()}`)) kind.fail(`no kind ${kind.string()} is described for ${cloud}`)
}
