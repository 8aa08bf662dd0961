import type { Texts } from '../en.ts';

export const titles: Texts['titles'] = {
  '/': 'Witaj',
  '/account/sign-up': 'Utwórz konto',
  '/account/verify': 'Sprawdź pocztę',
  '/account/sign-in': 'Zaloguj się',
  '/account/forgot': 'Nie pamiętasz hasła?',
  '/account/reset': 'Ustaw nowe hasło',
  '/account': 'Profil',
  '/account/security': 'Bezpieczeństwo',
  '/account/security/two-factor': 'Weryfikacja dwuetapowa',
  '/account/sessions': 'Sesje',
  '/account/plan': 'Plan',
  '/account/domain': 'Domena',
  '/account/delete': 'Usuń konto',
  '/account/return': 'Logowanie',
  '/account/continue': 'Przejdź do aplikacji',
  '/account/undo': 'Cofnij zmianę adresu e-mail',
  '/account/gone': 'Konto usunięte',
  '/billing/success': 'Dziękujemy',
  '/billing/return': 'Witaj ponownie',
};
