import type { Sealer } from '../../ports.ts';
import type { Proof } from '../session.ts';

/** What a code stands for, as its flow holds it. */
export interface HandedOver extends Proof {
  readonly userId: string;
  /** The session that gave the code, which must still be live. */
  readonly givenBy: string;
  /** The id of the session that the code opens: known before, so that a second use can end it. */
  readonly opens: string;
  readonly returnTo: string;
  /** Of the app's verifier, S256 (RFC 7636). */
  readonly challenge: string;
  /** What a change of the password moves. */
  readonly epoch: number;
  readonly passwordAt: number | null;
}

/** Seals under the flow's id: what is moved to another flow opens nothing. */
export const sealedHandover = (sealer: Sealer, flowId: string) => {
  const context = `handover:${flowId}`;
  return {
    seal: (value: HandedOver): string => sealer.seal(JSON.stringify(value), context),
    open(text: string | null): HandedOver | undefined {
      const opened = text === null ? undefined : sealer.open(text, context);
      return opened === undefined ? undefined : (JSON.parse(opened) as HandedOver);
    },
  };
};
