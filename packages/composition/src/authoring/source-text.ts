/** Pieces of TypeScript source. What they are made of comes from schemas, and must not be able to end a text or a comment early. */
export const quote = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name))

export const documentation = (text: string | undefined, indent: string): string =>
  text === undefined || text.trim() === '' ? '' : `${indent}/** ${text.replace(/\s+/g, ' ').replaceAll('*/', '*\\/').trim()} */\n`
