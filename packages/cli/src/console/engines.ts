import type { Client } from '@weft/client'
import { type Engines, type Plan, type PlanRequest, Refusal, type Rendered, type RenderRequest } from '@weft/console'
import { endOfLog } from '../process-logs/process-logs.ts'
import type { PackageOptions } from './read-package.ts'

/** Owner of the fields that the console writes. */
const FIELD_MANAGER = 'weft-console'

/** As much of an output as a page shows. */
const LOG_BYTES = 64 * 1024

export interface EngineOptions {
  readonly packages?: PackageOptions | undefined
  /** Of the control plane in this process, which has the logs of what packages run. */
  readonly dataDir?: string | undefined
}

/** What the console has the command line compute: the same code as `weft plan` and `weft render`. Loaded when somebody asks for it. */
export const enginesFor = ({ packages = {}, dataDir }: EngineOptions = {}): Engines => ({
  plan,
  render,
  readPackage: async (source, signal) => (await import('./read-package.ts')).readPackage(source, packages, signal),
  ...(dataDir !== undefined && { readLog: (kind, name) => endOfLog(dataDir, kind, name, LOG_BYTES) }),
})

async function plan(client: Client, request: PlanRequest, signal: AbortSignal): Promise<Plan> {
  const { planChange, PlanError } = await import('@weft/plan')
  const change = 'objects' in request ? { apply: request.objects } : { delete: [request.delete] }
  try {
    return await planChange(client, change, { fieldManager: FIELD_MANAGER, force: true, signal })
  } catch (error) {
    throw error instanceof PlanError ? refused(error) : error
  }
}

async function render({ intent, context, observed }: RenderRequest): Promise<Rendered> {
  const { openBundledPackages, RenderError, Renderer } = await import('@weft/plan')
  try {
    const rendering = await new Renderer([intent, ...context], { observed, packages: openBundledPackages() }).render(intent)
    return { objects: rendering.objects, notes: rendering.notes }
  } catch (error) {
    throw error instanceof RenderError ? refused(error) : error
  }
}

/** Not a failure of the console: what was asked for cannot be. */
const refused = (error: Error): Refusal => new Refusal(422, 'Invalid', error.message, { cause: error })
