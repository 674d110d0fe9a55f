import { gvkOf, type KubeObject, SYSTEM_NAMESPACE } from '@weft/api'
import { PackageRefusal, pointWebhooks } from '@weft/controllers'
import { asError, type ValidationProblem } from './problem.ts'

/** Of the Service at which the server asks the program of a package. */
const PORT = 9443

/** The objects as they would be installed, each in its place, and what keeps them from being installed at all. */
export interface AsInstalled {
  readonly objects: readonly KubeObject[]
  readonly problems: readonly ValidationProblem[]
}

/**
 * In the package of a provider, webhooks and conversions do not say where they are asked: its author cannot know, and whoever installs the package
 * fills it in. Where the metadata of a package is among the objects, they are held against their kinds as they are then.
 */
export function asInstalled(objects: readonly KubeObject[]): AsInstalled {
  const index = objects.findIndex(isProvider)
  const name = objects[index]?.metadata.name
  if (name === undefined) return { objects, problems: [] }
  try {
    return {
      objects: pointWebhooks(objects, name, { service: { namespace: SYSTEM_NAMESPACE, name, port: PORT }, caBundle: '' }),
      problems: [],
    }
  } catch (error) {
    if (!(error instanceof PackageRefusal)) throw error
    return { objects, problems: [{ index, ...asError('', error.message) }] }
  }
}

function isProvider(object: KubeObject): boolean {
  const { group, kind } = gvkOf(object)
  return group === 'meta.pkg.crossplane.io' && kind === 'Provider'
}
