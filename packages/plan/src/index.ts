/** What is, what would be made, and what would change: tracing, rendering, validating and planning. docs/rendering-and-planning.md. */
export { type FetchObject, ownersOf, traceObject } from './trace/trace-object.ts'
