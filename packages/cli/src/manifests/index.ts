export { type Manifest, type ManifestProblem, parseManifests, type Position, type Source } from './parse-manifests.ts'
export { formatProblems, readEverything, readManifests } from './read-manifests.ts'
