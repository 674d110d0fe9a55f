/** Makes the packages for npm, and answers their tarballs. */
export declare function pack(target: string): Promise<string[]>
