export { type Manifest, parseValue } from './parse-manifests.ts'
export { readEverything, readManifests, readText } from './read-manifests.ts'
