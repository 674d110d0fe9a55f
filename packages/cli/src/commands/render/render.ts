import type { KubeObject } from '@weft/api'
import { isPipeline } from '@weft/plan'
import { readManifests } from '../../manifests/index.ts'
import { CommandFailure } from '../../report.ts'
import type { PipelineOptions } from './pipeline.ts'
import type { TemplateOptions } from './templates.ts'

export interface RenderOptions extends PipelineOptions, TemplateOptions {
  readonly filename?: readonly string[]
  readonly recursive?: boolean
  readonly observed?: readonly string[]
  /** A format; or, as `crossplane render` has it, where the observed resources are. */
  readonly output: string
}

export async function render(paths: readonly string[], options: RenderOptions): Promise<number> {
  const files = [...paths, ...(options.filename ?? [])]
  if (files.length === 0) throw new CommandFailure('name the files to render: weft render claim.yaml class.yaml')
  const read = async (from: readonly string[]): Promise<readonly KubeObject[]> =>
    from.length === 0 ? [] : (await readManifests(from, { recursive: options.recursive })).map(({ object }) => object)
  const [given, observed] = await Promise.all([read(files), read(options.observed ?? [])])
  const isFormat = options.output === 'yaml' || options.output === 'json'
  if (isPipeline(given)) {
    const { renderPipelineFiles } = await import('./pipeline.ts')
    const observedResources = [...(options.observed ?? []), ...(options.observedResources ?? []), ...(isFormat ? [] : [options.output])]
    return renderPipelineFiles(given, options.output === 'json' ? 'json' : 'yaml', { ...options, observedResources })
  }
  if (!isFormat) throw new CommandFailure(`${options.output} is not a format: use yaml or json`)
  const { renderTemplates } = await import('./templates.ts')
  return renderTemplates(given, observed, options)
}
