/** What it took to make all of them and to remove them again. */
export interface Measured {
  readonly create: Cost
  readonly destroy: Cost
}

export interface Cost {
  readonly seconds: number
  /** Of all processes: the provider's too. */
  readonly cpuSeconds: number
}
