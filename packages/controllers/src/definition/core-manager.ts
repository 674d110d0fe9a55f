/** Who writes what the controllers of Crossplane's API write, where nobody else is named. */
export const CORE_MANAGER = 'crossplane'
