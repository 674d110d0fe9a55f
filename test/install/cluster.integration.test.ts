import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { weftWith } from '../integration/weft-command.ts'
import type { WeftProcess } from '../weft-process.ts'
import { expectDeployed, startCluster } from './cluster.ts'
import { typedUnder } from './install-page.ts'

/** As the page says, up to the pods: nothing runs them here (see test/kubernetes for what they do). */
describe('weft install', () => {
  let cluster: WeftProcess
  const weft = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await weftWith({ env: { KUBECONFIG: cluster.kubeconfig } }, ...args)
    expect(code, stderr).toBe(0)
    return stdout
  }
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster?.stop())

  it('runs the image that it is given, changes it when it is given another, and is undone by weft uninstall', async () => {
    const line = (await typedUnder('An image')).find((each) => each.startsWith('weft install ')) ?? ''
    const [, ...words] = line.split(' ')
    expect(words).toEqual(['install', '--image', 'registry.example.org/team/weft:0.1.0'])
    expect(await weft(...words)).toContain('Weft 0.1.0 is installed')
    await expectDeployed(weft, 'registry.example.org/team/weft:0.1.0')
    expect(await weft(...words, '--check')).toContain('0 to create, 0 to change')
    await weft('install', '--image', 'registry.example.org/team/weft:0.2.0')
    await expectDeployed(weft, 'registry.example.org/team/weft:0.2.0')
    await weft('uninstall')
    expect(await weft('get', 'deployments', '-n', 'crossplane-system')).toBe('')
    expect(await weft('get', 'customresourcedefinitions')).toBe('')
  })
})
