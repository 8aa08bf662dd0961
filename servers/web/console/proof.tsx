import type { ProofRequest } from '../base/api.ts';
import { ProofDialog } from '../base/proof-dialog.tsx';

/** Asks for a fresh proof, which needs a second factor here. A recovery code is not accepted. */
export const Ask = (request: ProofRequest) => (
  <ProofDialog {...request} byPassword={request.needed.methods.includes('totp')} code="app" />
);
