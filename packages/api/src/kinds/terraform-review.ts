import { defineKind, type KindDefinition, object, text } from './definition.ts'

/**
 * A question about kinds of Terraform providers, or to a function, on a server whose paths are not ours: created as a dry run, answered by the webhook that admits it, and
 * never kept. Question and answer are sealed, because API servers write requests to audit logs and states hold secrets.
 */
export const terraformReview: KindDefinition = defineKind({
  group: 'weft.dev',
  kind: 'TerraformReview',
  plural: 'terraformreviews',
  scope: 'Cluster',
  status: false,
  schema: {
    description: 'A question about kinds of Terraform providers, or to a function. Weft’s commands ask it as a dry run; none is ever kept.',
    'x-kubernetes-validations': [
      {
        rule: 'has(self.status)',
        message: 'nobody answers: the webhook of Weft is not registered, or this version of Weft has none for it',
      },
    ],
    properties: {
      spec: object('Without a question, the answer is the key to seal one with.', {
        question: text('The path that would be asked on the embedded server, and what would be sent there, sealed.'),
        publicKey: text('For whom the answer is sealed.'),
      }),
      status: object('The answer.', {
        publicKey: text('Seals questions.'),
        answer: text('What is answered, sealed.'),
      }),
    },
  },
})
