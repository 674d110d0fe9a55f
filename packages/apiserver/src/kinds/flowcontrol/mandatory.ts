type Spec = Readonly<Record<string, unknown>>

export const EVERYTHING: Spec = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
}
export const groups = (...names: readonly string[]): readonly object[] => names.map((name) => ({ kind: 'Group', group: { name } }))
export const EVERYBODY: readonly object[] = groups('system:unauthenticated', 'system:authenticated')

/** Without these some request would belong nowhere: nobody may change them. */
export const MANDATORY_LEVELS: ReadonlyMap<string, Spec> = new Map<string, Spec>([
  ['exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }],
  ['catch-all', { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 } }],
])

export const MANDATORY_FLOW_SCHEMAS: ReadonlyMap<string, Spec> = new Map<string, Spec>([
  [
    'exempt',
    {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: [{ subjects: groups('system:masters'), ...EVERYTHING }],
    },
  ],
  [
    'catch-all',
    {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [{ subjects: EVERYBODY, ...EVERYTHING }],
    },
  ],
])

export const mandatoryLevel = (name: string): Spec | undefined => MANDATORY_LEVELS.get(name)
export const mandatoryFlowSchema = (name: string): Spec | undefined => MANDATORY_FLOW_SCHEMAS.get(name)
