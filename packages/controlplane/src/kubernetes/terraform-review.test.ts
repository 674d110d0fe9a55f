import { FUNCTION_PATHS, type KubeObject, TERRAFORM_PATHS } from '@weft/api'
import { type Client, newSealingPair, seal, unseal } from '@weft/client'
import type { Author, Authority } from '@weft/plane'
import { expect, test } from 'vitest'
import { answerTerraformReview } from './terraform-review.ts'

type Action = Parameters<Authority['allows']>[1]

const own = newSealingPair()
const asker = newSealingPair()

/** What a review with this question is answered, where nothing but functions can be asked. */
async function ask(path: string, body: unknown, allows: (action: Action) => boolean = () => false): Promise<unknown> {
  const object = {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'TerraformReview',
    metadata: {},
    spec: { question: seal({ path, body }, asker, own.publicKey, 'question'), publicKey: asker.publicKey },
  } as KubeObject
  const author: Author = { username: 'ada', groups: [] }
  const found = await answerTerraformReview({ uid: 'u', operation: 'CREATE', kind: {} as never, object, dryRun: true }, author, {
    answers: undefined,
    client: {} as Client,
    authority: { allows: (_, action) => allows(action), resourceOf: () => undefined },
    functions: {
      answer: async (read, { mayWritePipelines }) => ({ response: { question: await read(), may: await mayWritePipelines() } }),
    },
    pair: own,
  })
  if ('refusal' in found) return found.refusal.message
  return unseal((found.answer as { answer: string }).answer, asker, own.publicKey, 'answer')
}

test('a review asks a function, sealed, where no Terraform provider may run', async () => {
  expect(await ask(FUNCTION_PATHS.run, { function: 'f' })).toEqual({ response: { question: { function: 'f' }, may: false } })
  expect(await ask(TERRAFORM_PATHS.plan, { resources: [] })).toContain('do not run here')
})

test('who may write pipelines is asked of the server: by the verb escalate, or by the right to create everything', async () => {
  const may = { response: { question: {}, may: true } }
  expect(await ask(FUNCTION_PATHS.run, {}, ({ verb, resource }) => verb === 'escalate' && resource === 'compositions')).toEqual(may)
  expect(await ask(FUNCTION_PATHS.run, {}, ({ verb, group, resource }) => `${verb} ${group} ${resource}` === 'create * *')).toEqual(may)
})
