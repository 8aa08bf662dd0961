import type { Texts } from '../en.ts';

export { proof } from './proof.ts';

export const account: Texts['account'] = {
  nav: 'Twoje konto',
  connected: 'Połączono',
  saved: 'Zapisano',
  details: 'Szczegóły',
  remove: 'Usuń',
  leaving: 'Otwieranie…',
  forgotPassword: 'Nie pamiętasz hasła?',
  newPassword: 'Nowe hasło',
  passwordHint: 'Co najmniej 8 znaków',
  sendCode: 'Wyślij kod',
  changeEmail: 'Zmień adres e-mail',
  plan: 'Twój plan',
  toSecurity: 'Wróć do zabezpieczeń',
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
