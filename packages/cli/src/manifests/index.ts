export { type Manifest, parseManifests } from './parse-manifests.ts'
export { readEverything, readManifests } from './read-manifests.ts'
