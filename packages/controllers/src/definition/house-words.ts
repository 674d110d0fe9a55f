import { messageOf } from '@weft/api'
import type { DefinitionWords } from './definition.ts'

/** How Weft's own definitions tell of themselves: reasons end in `noun`, and a message says why. */
export const houseWords = (noun: string): DefinitionWords => ({
  condition: (progress, message) => ({
    type: 'Established',
    status: progress === 'Established' ? 'True' : 'False',
    reason: `${progress}${noun}`,
    ...(message !== undefined && { message }),
  }),
  event(news) {
    switch (news.type) {
      case 'created':
        return { type: 'Normal', reason: 'CreateCustomResourceDefinition', message: `created CustomResourceDefinition ${news.crd}` }
      case 'updated':
        return { type: 'Normal', reason: 'UpdateCustomResourceDefinition', message: `updated CustomResourceDefinition ${news.crd}` }
      case 'refused':
        return { type: 'Warning', reason: 'CannotDefine', message: messageOf(news.error) }
      case 'pending':
      case 'draining':
        return undefined
    }
  },
})
