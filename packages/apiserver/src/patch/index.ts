/** The three patch formats, as pure functions on JSON. */
export { TestFailed } from './json-pointer.ts'
export { jsonPatch } from './json-patch.ts'
export { mergePatch } from './merge-patch.ts'
export { strategicMergePatch } from './strategic-merge-patch.ts'
