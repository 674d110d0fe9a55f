/** What is, what would be made, and what would change: tracing, rendering, validating and planning. docs/rendering-and-planning.md. */
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
