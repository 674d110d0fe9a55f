import { parse } from 'yaml'

/** Any YAML. Of its own, to be imported by those who need it: the parser takes longer to load than a server takes to answer. */
export const parseAnyYaml = (text: string): unknown => parse(text)
