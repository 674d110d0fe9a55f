import type { AttributePath, Field, Form } from '@weft/terraform'

/** A provider's path in the words of the kind: `network_rule[0].from_port` is `networkRule.fromPort` where there can only be one rule. */
export function fieldPath(fields: readonly Field[], path: AttributePath): string {
  let form: Form | undefined = { kind: 'object', fields }
  let text = ''
  for (const step of path) {
    // A block that occurs once is an object to users.
    if (form?.kind === 'only') {
      form = form.element
      if (step.type !== 'attribute') continue
    }
    if (step.type === 'attribute') {
      const field: Field | undefined = form?.kind === 'object' ? form.fields.find(({ name }) => name === step.name) : undefined
      text += `${text === '' ? '' : '.'}${field?.field ?? step.name}`
      form = field?.form
    } else {
      text += step.type === 'key' ? `[${JSON.stringify(step.key)}]` : `[${step.index}]`
      form = form?.kind === 'list' || form?.kind === 'set' || form?.kind === 'map' ? form.element : undefined
    }
  }
  return text
}

/** Each once, a few of many. */
export function fieldPaths(fields: readonly Field[], paths: readonly AttributePath[]): string {
  const texts = [...new Set(paths.map((path) => fieldPath(fields, path)))]
  return texts.length > SHOWN ? `${texts.slice(0, SHOWN).join(', ')} and ${texts.length - SHOWN} more` : texts.join(', ')
}

const SHOWN = 8
