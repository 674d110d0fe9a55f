/** What is asked of schemas beyond being structural. On update, what the old definition already violated is not asked. */
export interface SchemaRules {
  readonly requireKnownTypes: boolean
  readonly requireAtomicSets: boolean
  readonly requireMapListKeys: boolean
}
