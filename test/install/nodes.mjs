// The releases of Node that Weft promises to run on, from npm.
import { nodeBinary } from '../../scripts/pack/node-binary.mjs'

const VERSIONS = ['20.19.0', '22.23.3', '24.19.0']

/** @returns {Promise<({version: string, path: string} | {version: string, skipped: string})[]>} */
export async function nodes() {
  return await Promise.all(
    VERSIONS.map(async (version) => {
      try {
        return { version, path: await nodeBinary(version) }
      } catch (error) {
        return {
          version,
          skipped: String(error.stderr || error.message)
            .trim()
            .split('\n')
            .at(-1),
        }
      }
    }),
  )
}
