import { expect, test } from 'vitest'
import type { DefinedKind } from './definition.ts'
import { kindControllers } from './kind-controllers.ts'

const kind = (version: string): DefinedKind => ({ group: 'example.org', version, kind: 'Thing', plural: 'things', namespaced: false })

function recorded() {
  const log: string[] = []
  let made = 0
  const controllers = kindControllers(
    {
      start: async ({ name }) => {
        log.push(`start ${name}`)
        return undefined as never
      },
      stop: async (name) => void log.push(`stop ${name}`),
    },
    ({ metadata }: { readonly metadata: { readonly name?: string; readonly generation?: number } }, of) => {
      const name = `${metadata.name}#${++made}`
      return {
        kind: of,
        spec: { name, kind: of, reconcile: async () => ({}) as never },
        configure: ({ metadata: { generation } }) => void log.push(`configure ${name} ${generation}`),
        close: () => void log.push(`close ${name}`),
      }
    },
  )
  return { log, controllers }
}

test('a change of the definition is told to the controller that runs', async () => {
  const { log, controllers } = recorded()
  await controllers.start({ metadata: { name: 'a', generation: 1 } }, kind('v1'))
  await controllers.start({ metadata: { name: 'a', generation: 2 } }, kind('v1'))
  expect(log).toEqual(['start a#1', 'configure a#1 2'])
})

test('another version gets a controller of its own, after the old one has ended', async () => {
  const { log, controllers } = recorded()
  await controllers.start({ metadata: { name: 'a' } }, kind('v1'))
  await controllers.start({ metadata: { name: 'a' } }, kind('v2'))
  expect(log).toEqual(['start a#1', 'stop a#1', 'close a#1', 'start a#2'])
})

test('a definition that goes stops its own, once', async () => {
  const { log, controllers } = recorded()
  await controllers.start({ metadata: { name: 'a' } }, kind('v1'))
  await controllers.start({ metadata: { name: 'b' } }, kind('v1'))
  await controllers.stop('a')
  await controllers.stop('a')
  expect(log).toEqual(['start a#1', 'start b#2', 'stop a#1', 'close a#1'])
})
