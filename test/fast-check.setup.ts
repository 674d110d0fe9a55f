import fc from 'fast-check'

// The same cases on every run: CI must be deterministic. WEFT_SEED=random (or a number) explores others.
const given = process.env['WEFT_SEED']
if (given !== 'random') fc.configureGlobal({ seed: Number(given ?? 20_261) })
