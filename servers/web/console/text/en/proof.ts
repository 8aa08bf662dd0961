import { proof as ofAccounts } from '../../../text/en/proof.ts';
import { signIn as atAccounts } from '../../../text/en/sign-in.ts';

export const signIn = {
  ...atAccounts,
  lead: 'For operators only.',
  byApp: 'Enter the six-digit code from your authenticator app.',
  useApp: 'Use the app',
  back: 'Start over',
  setUp: 'Set up two-factor sign-in',
  grant: 'No operator yet? Make one at the command line:',
};

export const proof = {
  ...ofAccounts,
  text: 'Confirm to continue.',
  code: 'Code from your authenticator app',
  none: 'Sign out and in again, then try again.',
};
