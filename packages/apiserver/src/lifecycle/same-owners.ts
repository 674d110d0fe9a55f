const OWNERS = Buffer.from('"ownerReferences":')
const LIST_END = Buffer.from('}]')
/** With one of these, who owns what is not all that counts. */
const ENDING = ['"deletionTimestamp"', '"foregroundDeletion"', '"orphan"'].map((text) => Buffer.from(text))

/**
 * Do two versions of an object certainly name the same owners, neither of them being about to go? Told from their JSON, without reading it: most writes of
 * what has an owner change something else. A wrong no costs only time.
 */
export function haveSameOwners(before: Buffer, after: Buffer): boolean {
  const owners = ownersIn(after)
  return owners !== undefined && !isEnding(before) && !isEnding(after) && ownersIn(before)?.equals(owners) === true
}

const isEnding = (json: Buffer): boolean => ENDING.some((text) => json.includes(text))

/** Undefined where it takes a closer look: the word stands there more than once, or what ends the list is part of a name. */
function ownersIn(json: Buffer): Buffer | undefined {
  const start = json.indexOf(OWNERS)
  if (start < 0 || json.includes(OWNERS, start + OWNERS.length)) return undefined
  const end = json.indexOf(LIST_END, start)
  const list = json.subarray(start + OWNERS.length, end + LIST_END.length)
  return end < 0 || !isJson(list) ? undefined : list
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString())
    return true
  } catch {
    return false
  }
}
