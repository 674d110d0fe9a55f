/** Something to tell about the composite: an event. `claim`: also about its claim, in these words. */
export interface XrEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  readonly claim?: string
}
