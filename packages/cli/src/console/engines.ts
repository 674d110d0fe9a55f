import { type Engines, Refusal, type Rendered, type RenderRequest } from '@weft/console'

/** What the console has the command line compute: the same code as `weft render`. Loaded when somebody asks for it. */
export const engines: Engines = { render }

async function render({ intent, context, observed }: RenderRequest): Promise<Rendered> {
  const { openBundledPackages, RenderError, Renderer } = await import('@weft/plan')
  try {
    const rendering = await new Renderer([intent, ...context], { observed, packages: openBundledPackages() }).render(intent)
    return { objects: rendering.objects, notes: rendering.notes }
  } catch (error) {
    if (error instanceof RenderError) throw new Refusal(422, 'Invalid', error.message, { cause: error })
    throw error
  }
}
