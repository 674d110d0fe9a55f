/** Makes the packages for npm, and answers their tarballs. */
export declare function packNpm(target: string): Promise<string[]>
