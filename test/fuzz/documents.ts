import { deepEqual, JsonSyntaxError, parseJson, stringifyJson } from '@weft/api'
import { parseManifests } from '../../packages/cli/src/manifests/parse-manifests.ts'
import { formatYaml } from '../../packages/cli/src/output/format-yaml.ts'
import { FuzzFinding, type FuzzTarget } from './target.ts'

/** JSON: every value comes back as it was, and what the engine's own parser takes for JSON, ours does too. */
export const jsonTarget: FuzzTarget = {
  name: 'json',
  run(draw, note) {
    const value = draw.json(6)
    const text = stringifyJson(value)
    note(text)
    const back = parseJson(text).value
    if (!deepEqual(back, value)) throw new FuzzFinding(`JSON does not come back: ${stringifyJson(back)}`)
    const garbled = draw.garbled(text)
    note(garbled)
    const ours = attempt(() => parseJson(garbled).value)
    const engine = attempt(() => JSON.parse(garbled) as unknown)
    if (ours.failed && !(ours.error instanceof JsonSyntaxError)) throw new FuzzFinding(`not a JsonSyntaxError: ${String(ours.error)}`)
    // Numbers without end are ours to refuse.
    if (ours.failed !== engine.failed && !/[eE]\+?\d{3}|\d{300}/.test(garbled))
      throw new FuzzFinding(`accepted by ${ours.failed ? 'JSON.parse' : 'parseJson'} only`)
  },
}

/** YAML as the command line writes it is read again as the same; and no text makes the reader fail. */
export const yamlTarget: FuzzTarget = {
  name: 'yaml',
  run(draw, note) {
    const object = { apiVersion: 'v1', kind: 'Fuzz', metadata: { name: 'a' }, spec: wellFormed(draw.json(5)) }
    const text = formatYaml(object)
    note(text)
    const { manifests, problems } = parseManifests(text, 'fuzz.yaml')
    if (!deepEqual(manifests[0]?.object, object))
      throw new FuzzFinding(`YAML does not come back: ${JSON.stringify(manifests[0]?.object ?? problems)}`)
    const garbled = draw.garbled(text)
    note(garbled)
    parseManifests(garbled, 'fuzz.yaml')
  },
}

/** Half a surrogate pair is no text that a file can hold. */
const wellFormed = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(/\\ud[89a-f][0-9a-f]{2}/gi, '?')) as unknown

function attempt(act: () => unknown): { readonly failed: boolean; readonly error?: unknown } {
  try {
    act()
    return { failed: false }
  } catch (error) {
    return { failed: true, error }
  }
}
