// A function written with the TypeScript kit: its input says what it is to do. KIT is where the kit is installed.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const kit = join(process.env.KIT, 'node_modules/@crossplane-org/function-sdk-typescript/dist/index.js')
const { fatal, normal, requireResource, Resource, serve, setContextKey, setOutput, warning } = await import(pathToFileURL(kit).href)

const ACTS = {
  compose(req, rsp) {
    const size = req.observed.composite.resource.spec.size
    rsp.desired.resources.part = Resource.fromJSON({
      resource: { apiVersion: 'example.org/v1', kind: 'Part', spec: { size } },
      ready: 'READY_TRUE',
    })
    normal(rsp, 'composed')
  },
  require(req, rsp) {
    requireResource(rsp, 'config', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      match: { $case: 'matchName', matchName: 'settings' },
      matchName: 'settings',
      namespace: 'default',
    })
    setOutput(rsp, { found: (req.requiredResources.config?.items ?? []).map(({ resource }) => resource.data.key) })
  },
  context(req, rsp) {
    setContextKey(rsp, 'seen', req.context?.given ?? 'nothing')
  },
  fatal(_, rsp) {
    fatal(rsp, 'it cannot be done')
  },
  conditions(_, rsp) {
    warning(rsp, 'look out')
  },
  hang: () => new Promise(() => {}),
  crash: () => process.exit(3),
}

serve(async (req, rsp) => {
  await ACTS[req.input?.do]?.(req, rsp)
  return rsp
})
