/**
 * What is, what would be made, and what would change; docs/rendering-and-planning.md. The controllers at work in a world of their own: it reads a control plane
 * and writes nothing there.
 *
 *   trace/      a tree of objects, and why it is not ready
 *   known/      kinds and packages that are known without a server
 *   validate/   files against those kinds
 *   render/     what one intent would be composed of; pipeline/ by functions
 *   world/      the copy of a control plane that a change is made in
 *   change/     the change itself, and the difference that it makes
 */
export { type FetchObject, ownersOf, traceObject } from './trace/trace-object.ts'
export { type IntentType, Renderer } from './render/render-intent.ts'
export { type FieldOrigin, type RenderedObject, RenderError, type Rendering } from './render/rendering.ts'
export { isPipeline } from './pipeline/is-pipeline.ts'
export { checkSelector, type PipelineRenderOptions, renderPipeline } from './pipeline/render-pipeline.ts'
export { NO_PACKAGES, type PackagedObjects } from './known/packaged-objects.ts'
export { openBundledPackages } from './known/bundled-packages.ts'
export {
  type Change,
  type FieldChange,
  KNOWN_AFTER_APPLY,
  type Plan,
  type PlannedChange,
  PlanError,
  type PlanOptions,
  type ProgramsAsked,
} from './change/plan.ts'
export { planChange } from './change/plan-change.ts'
export { functionsOfControlPlane } from './change/functions-of-control-plane.ts'
export type { ValidationProblem } from './validate/problem.ts'
export { validateObjects } from './validate/validate-objects.ts'
