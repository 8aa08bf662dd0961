import type { Texts } from '../en.ts';

export { proof } from './proof.ts';

export const account: Texts['account'] = {
  nav: 'Twoje konto',
  connected: 'Połączono',
  saved: 'Zapisano',
  passkeyBusy: 'Oczekiwanie na klucz dostępu…',
  support: 'Pomoc',
  terms: 'Regulamin',
  privacy: 'Prywatność',
  with: (provider) => `Kontynuuj przez ${provider}`,
  restricted: {
    account_banned: 'To konto jest zablokowane. Możesz się wylogować albo je usunąć.',
    account_disabled: 'To konto jest wyłączone. Możesz się wylogować albo je usunąć.',
  },
};
