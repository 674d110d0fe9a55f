import { spawn } from 'node:child_process'

/** What opens an address on this system; undefined where nobody could see a browser. */
function opener(env: NodeJS.ProcessEnv): readonly [string, ...string[]] | undefined {
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasScreen = env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined
  return hasScreen ? ['xdg-open'] : undefined
}

/** True when the system took it. The browser goes on by itself. */
export async function openBrowser(link: string, env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const [program, ...words] = opener(env) ?? []
  if (program === undefined) return false
  return new Promise((resolve) => {
    const child = spawn(program, [...words, link], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
