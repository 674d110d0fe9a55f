export type { Manifest } from './parse-manifests.ts'
export { readEverything, readManifests } from './read-manifests.ts'
