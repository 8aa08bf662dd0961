/**
 * `answered`: the content waits to be redeemed; `taken`: its code was redeemed; `spent`: nothing is left to use. A
 * ticket or a challenge that was used is stored as `spent` at once.
 */
export type FlowStage = 'answered' | 'taken' | 'spent';

/** The record of a single-use code, ticket or challenge. Times are epoch milliseconds. */
export interface Flow {
  /** Random, or the SHA-256 of a random value, such as the `state` that was sent to the provider. */
  readonly id: string;
  readonly stage: FlowStage;
  /** SHA-256 of the secret in the code that redeems the record; null if there is no code. */
  readonly codeDigest: string | null;
  /** What the code stands for, sealed; for a used ticket the id of the flow that it began; else null. */
  readonly content: string | null;
  /** Until then the record can go to its next stage. */
  readonly expiresAt: number;
  /** The id stays taken until then, so that nothing is stored under it a second time. */
  readonly keptUntil: number;
}

/** One step of a flow: from a stage that has not expired to the next. */
export interface FlowStep {
  readonly id: string;
  readonly from: FlowStage;
  readonly to: FlowStage;
  /** Must equal the record's; absent if the step needs no code. */
  readonly codeDigest?: string;
  /** The record's `expiresAt` after the step. */
  readonly expiresAt: number;
}

/** Flows, one document each, found by id. */
export interface FlowStore {
  /** False if a record has this id, expired or not; nothing is stored then. */
  add(flow: Flow): Promise<boolean>;
  /** Undefined if the record is missing or has expired. */
  find(id: string, now: number): Promise<Flow | undefined>;
  /**
   * True for exactly one of any number of parallel calls for the same step. False for the others, and for an expired
   * record, another stage or another code. The step does not change how long the id stays taken.
   */
  step(step: FlowStep, now: number): Promise<boolean>;
  /** The number of records, including expired ones that were not swept yet; an estimate if there are many. */
  count(): Promise<number>;
  /** Removes at most `limit` records whose ids need not stay taken; returns their number. */
  sweep(now: number, limit: number): Promise<number>;
}
