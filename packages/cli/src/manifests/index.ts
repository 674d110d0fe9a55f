export { type Manifest, type ManifestProblem, parseManifests, type Source } from './parse-manifests.ts'
export { formatProblems, readManifests } from './read-manifests.ts'
