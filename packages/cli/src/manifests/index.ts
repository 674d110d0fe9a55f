export type { Manifest } from './parse-manifests.ts'
export { readEverything, readManifests, readText } from './read-manifests.ts'
