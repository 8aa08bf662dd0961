import { proof as ofAccounts } from '../../../text/en/proof.ts';
import { signIn as atAccounts } from '../../../text/en/sign-in.ts';

export const signIn = {
  ...atAccounts,
  lead: 'Operators only.',
  byApp: 'Enter the 6-digit code from your authenticator app.',
  useApp: 'Use the app',
  back: 'Start over',
  setUp: 'Set up two-factor authentication',
  grant: 'No operators yet? Add one from the command line:',
};

export const proof = {
  ...ofAccounts,
  text: 'Confirm to continue.',
  code: 'Code from your authenticator app',
  none: 'Sign out, sign in again, and try once more.',
};
