import { hasReason, TERRAFORM_REVIEWS, type TerraformQuestion, type TerraformReview } from '@weft/api'
import { newSealingPair, seal, unseal } from './sealed.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

/**
 * At the path itself where the server is Weft's own, and by a review on any other. Such a server has no path of that name, and forbids even to look for one to
 * all but its administrators.
 */
export async function ask(transport: Transport, question: TerraformQuestion, options: CallOptions): Promise<unknown> {
  const { path, body } = question
  try {
    const request = body === undefined ? ({ verb: 'read', path } as const) : ({ verb: 'post', path, object: body as object } as const)
    return (await transport.request({ ...request, ...options })).body
  } catch (error) {
    if (!isAbsent(error) && !hasReason(error, 'Forbidden')) throw error
    try {
      return await review(transport, question, options)
    } catch (second) {
      // No such kind either: it is Weft's own server, and what it said first is what there is to say.
      if (!isAbsent(second)) throw second
      if (isAbsent(error)) return undefined
      throw error
    }
  }
}

const isAbsent = (error: unknown): boolean => hasReason(error, 'NotFound') || hasReason(error, 'MethodNotAllowed')

async function review(transport: Transport, question: TerraformQuestion, options: CallOptions): Promise<unknown> {
  const own = newSealingPair()
  const post = async (spec: NonNullable<TerraformReview['spec']>): Promise<NonNullable<TerraformReview['status']>> => {
    const { body } = await transport.request({
      verb: 'create',
      resource: TERRAFORM_REVIEWS,
      object: { apiVersion: 'weft.dev/v1alpha1', kind: 'TerraformReview', metadata: { generateName: 'question-' }, spec },
      options: { dryRun: true },
      ...options,
    })
    return (body as TerraformReview).status ?? {}
  }
  const key = async (): Promise<string> => (await post({})).publicKey ?? ''
  const sealed = async (publicKey: string): Promise<unknown> => {
    const status = await post({ question: seal(question, own, publicKey, 'question'), publicKey: own.publicKey })
    // The webhook has another certificate, and so another key, since it told us.
    if (status.publicKey !== undefined && status.publicKey !== publicKey) throw new KeyChanged()
    return status.answer === undefined ? undefined : unseal(status.answer, own, publicKey, 'answer')
  }
  try {
    return await sealed(await key())
  } catch (error) {
    if (!(error instanceof KeyChanged)) throw error
    return sealed(await key())
  }
}

class KeyChanged extends Error {}
