export declare function nodes(): Promise<({ version: string; path: string } | { version: string; skipped: string })[]>
