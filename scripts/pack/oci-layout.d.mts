/** Pushes what an OCI layout holds to `registry/repository:tag`, and answers its digest. */
export declare function pushLayout(folder: string, reference: string): Promise<string>
