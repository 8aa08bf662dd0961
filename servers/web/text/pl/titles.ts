import type { Texts } from '../en.ts';

export const titles: Texts['titles'] = {
  '/': 'Witaj',
  '/account/sign-up': 'Utwórz konto',
  '/account/verify': 'Sprawdź pocztę',
  '/account/sign-in': 'Zaloguj się',
  '/account/forgot': 'Nie pamiętasz hasła?',
  '/account/reset': 'Ustaw nowe hasło',
};
