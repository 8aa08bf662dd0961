/** The steps that few returns need, loaded together. */
export { EmailNeeded } from './email-needed.tsx';
export { ProofCode } from './proof-code.tsx';
