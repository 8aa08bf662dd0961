const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export interface WebhooksPolicy {
  /**
   * The wait before each further attempt, varied by up to a fifth but never above the longest. A delivery is dead after the last
   * attempt.
   */
  readonly waitsMs: readonly number[];
}

/** As Standard Webhooks suggests: ten attempts within 75 h 35 min and 5 s. */
export const defaultWebhooksPolicy: WebhooksPolicy = {
  waitsMs: [
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ],
};
