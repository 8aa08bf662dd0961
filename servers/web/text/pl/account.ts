import type { Texts } from '../en.ts';

export const account: Texts['account'] = {
  nav: 'Twoje konto',
  connected: 'Połączono',
  support: 'Pomoc',
  terms: 'Regulamin',
  privacy: 'Prywatność',
  with: (provider) => `Kontynuuj przez ${provider}`,
  signedOut: {
    title: 'Wylogowano Cię',
    text: 'Sesja na tym urządzeniu dobiegła końca.',
    act: 'Zaloguj się ponownie',
  },
  restricted: {
    account_banned: 'To konto jest zablokowane. Możesz się wylogować albo je usunąć.',
    account_disabled: 'To konto jest wyłączone. Możesz się wylogować albo je usunąć.',
  },
};

export const proof: Texts['proof'] = {
  title: 'Potwierdź, że to Ty',
  text: 'Potwierdź przed tą zmianą.',
  password: 'Hasło',
  code: 'Kod z aplikacji albo kod zapasowy',
  none: 'Wyloguj się, zaloguj ponownie i powtórz zmianę.',
  act: 'Potwierdź',
  busy: 'Sprawdzanie…',
};
