import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWeft, type WeftProcess, type WeftProcessOptions } from '../weft-process.ts'
import { type CommandResult, type FollowedCommand, followWeft, weftWith } from './weft-command.ts'

/** A control plane, and a folder of a user who works with it by the command line alone. */
export interface CliWorld {
  readonly plane: WeftProcess
  readonly folder: string
  weft(...args: readonly string[]): Promise<CommandResult>
  weftWithInput(input: string, ...args: readonly string[]): Promise<CommandResult>
  /** Expects success and answers standard output. */
  ok(...args: readonly string[]): Promise<string>
  follow(...args: readonly string[]): FollowedCommand
  /** Writes a file into the folder and answers its path. */
  file(name: string, content: string): Promise<string>
  stop(): Promise<void>
}

export async function startCliWorld(plan: WeftProcessOptions = {}): Promise<CliWorld> {
  const plane = await startWeft(plan)
  const folder = await mkdtemp(join(tmpdir(), 'weft-cli-'))
  const options = { cwd: folder, env: { KUBECONFIG: plane.kubeconfig, HOME: folder, NO_COLOR: '1' } }
  const weft = (...args: readonly string[]): Promise<CommandResult> => weftWith(options, ...args)
  const followed: FollowedCommand[] = []
  return {
    plane,
    folder,
    weft,
    weftWithInput: (input, ...args) => weftWith({ ...options, input }, ...args),
    async ok(...args) {
      const { code, stdout, stderr } = await weft(...args)
      if (code !== 0) throw new Error(`weft ${args.join(' ')} ended with ${code ?? 'a signal'}:\n${stderr}${stdout}`)
      return stdout
    },
    follow(...args) {
      const command = followWeft(options, ...args)
      followed.push(command)
      return command
    },
    async file(name, content) {
      const path = join(folder, name)
      await writeFile(path, content)
      return path
    },
    async stop() {
      for (const command of followed) await command.stop()
      await plane.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const WIDGET_DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Widget, plural: widgets, shortNames: [wd], categories: [all, toys]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    - {name: Colour, type: string, jsonPath: .spec.colour, priority: 1}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        type: object
        description: A thing to play with.
        properties:
          spec:
            type: object
            description: What it should be.
            required: [size]
            properties:
              size: {type: integer, minimum: 1, description: How large it is.}
              colour: {type: string, enum: [red, green], default: red}
              partRef: {type: object, properties: {name: {type: string}, namespace: {type: string}}}
          status:
            type: object
            properties:
              conditions:
                type: array
                items: {type: object, x-kubernetes-preserve-unknown-fields: true}
`

export const widget = (name: string, size: number | string, more = ''): string =>
  `apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: ${name}${more}}\nspec: {size: ${size}}\n`
