/**
 * How far a trip to a provider has come since the provider's answer. `spent` is also what stands for a ticket, or for
 * the challenge of a passkey, that was used: the id alone says so.
 */
export type FlowStage = 'answered' | 'taken' | 'spent';

/** A trip to a provider whose answer is here, or something that is good once. Times are epoch milliseconds. */
export interface Flow {
  /** SHA-256 of what it may be done once with, such as the `state` that was sent to the provider. */
  readonly id: string;
  readonly stage: FlowStage;
  /** SHA-256 of the code by which the client takes it; null where none is to come. */
  readonly codeDigest: string | null;
  /** What the provider said, sealed; null where there is nothing. */
  readonly content: string | null;
  /** Until when the next stage may be reached. */
  readonly expiresAt: number;
  /** Until when the record stays, so that nothing is added a second time under its id. */
  readonly keptUntil: number;
}

/** One step of a flow: from a stage that has not expired to the next. */
export interface FlowStep {
  readonly id: string;
  readonly from: FlowStage;
  readonly to: FlowStage;
  /** Must be the flow's; left out where the step needs no code. */
  readonly codeDigest?: string;
  readonly expiresAt: number;
}

/** Flows, one document each, found by id. */
export interface FlowStore {
  /** False when there is one with this id, expired or not; nothing is stored then. */
  add(flow: Flow): Promise<boolean>;
  /** Undefined once it has expired. */
  find(id: string, now: number): Promise<Flow | undefined>;
  /**
   * True for exactly one of any number of parallel calls for the same step. False for the others, and for an expired flow,
   * another stage or another code. A flow is kept as long as it would be without the step.
   */
  step(step: FlowStep, now: number): Promise<boolean>;
  /** How many there are, with those that are over and not swept yet; of many it may be about. */
  count(): Promise<number>;
  /** Removes those that need not be kept any more, at most `limit`; says how many. */
  sweep(now: number, limit: number): Promise<number>;
}
