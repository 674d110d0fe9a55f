import { folderRuntime, hostPlatform, imageRuntime, type Platform, type Runtime } from '@weft/xpkg'
import { CommandFailure } from '../../report.ts'

/** What the package is to run, as typed. */
export interface RuntimeOptions {
  readonly embedRuntimeImageTarball?: string
  readonly root?: string
  readonly entrypoint?: readonly string[]
  readonly env?: readonly string[]
  readonly workdir?: string
  readonly platform?: string
}

/** What is packed into the image of a package beside it; undefined when nothing is. */
export async function runtimeFor(options: RuntimeOptions): Promise<Runtime | undefined> {
  const { embedRuntimeImageTarball: image, root, entrypoint = [], env = [], workdir, platform } = options
  if (root === undefined) {
    const given = (['entrypoint', 'env', 'workdir', 'platform'] as const).find((name) => options[name] !== undefined)
    if (given !== undefined) throw new CommandFailure(`--${given} says how the program of --root is started: give --root, too`)
    return image === undefined ? undefined : imageRuntime(image)
  }
  if (image !== undefined) throw new CommandFailure('give either --root or --embed-runtime-image-tarball')
  if (entrypoint.length === 0)
    throw new CommandFailure(`say what is started in ${root}: --entrypoint /usr/bin/program, and once more for each of its arguments`)
  return folderRuntime(root, { entrypoint, env: variablesOf(env), workingDirectory: workdir, platform: platformOf(platform) })
}

function variablesOf(env: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    env.map((each) => {
      const at = each.indexOf('=')
      if (at < 1) throw new CommandFailure(`--env ${each} is not NAME=VALUE`)
      return [each.slice(0, at), each.slice(at + 1)]
    }),
  )
}

/** Whatever machine this is: images hold programs for Linux. */
function platformOf(text: string | undefined): Platform {
  if (text === undefined) return { os: 'linux', architecture: hostPlatform().architecture }
  const [os = '', architecture = '', ...rest] = text.split('/')
  if (os === '' || architecture === '' || rest.length > 0) throw new CommandFailure(`--platform ${text} is not such as linux/amd64`)
  return { os, architecture }
}
