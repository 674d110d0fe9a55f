// `npm run pack [-- WHAT… [--to DIRECTORY]]` makes what people install, in dist unless told otherwise: npm (packages for npm), executable (one file for Linux
// on x64), image (for registries of containers), chart (for Helm). All of them if none is named. `npm run pack -- image --push registry/repository:tag` pushes
// it, too.
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './setup.mjs'

const FORMS = {
  npm: async (to) => (await import('./pack/npm.mjs')).packNpm(join(to, 'npm')),
  executable: async (to) => [await (await import('./pack/executable.mjs')).packExecutable(join(to, 'weft-linux-x64'))],
  image: async (to) => pushed(await (await import('./pack/image.mjs')).packImage(join(to, 'image'))),
  chart: async (to) => pushed(await (await import('./pack/chart.mjs')).packChart(join(to, 'chart'))),
}

/** The layout, and where it was pushed to if that was wanted. */
async function pushed(layout) {
  if (values.push === undefined) return [layout]
  const { pushLayout } = await import('./pack/oci-layout.mjs')
  process.stderr.write(`pushed ${values.push}@${await pushLayout(layout, values.push)}\n`)
  return [layout]
}

const USAGE = `npm run pack [-- FORM… [--to DIRECTORY]], where FORM is one of ${Object.keys(FORMS).join(', ')} (default: all of them)
npm run pack -- image|chart --push REGISTRY/REPOSITORY:TAG
`

function fail(message) {
  process.stderr.write(`${message}\n${USAGE}`)
  process.exit(1)
}

function readArguments() {
  const options = { to: { type: 'string', default: join(root, 'dist') }, push: { type: 'string' }, help: { type: 'boolean', short: 'h' } }
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return fail(error.message)
  }
}

const { values, positionals } = readArguments()
if (values.help === true) {
  process.stdout.write(USAGE)
  process.exit()
}
if (values.push !== undefined && positionals.join() !== 'image' && positionals.join() !== 'chart')
  fail('--push is for one of image and chart')
const unknown = positionals.find((each) => !Object.hasOwn(FORMS, each))
if (unknown !== undefined) fail(`there is no form ${JSON.stringify(unknown)}`)
for (const form of positionals.length > 0 ? positionals : Object.keys(FORMS))
  for (const file of await FORMS[form](resolve(values.to))) console.log(relative(process.cwd(), file))
