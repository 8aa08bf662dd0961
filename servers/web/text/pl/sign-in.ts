import type { Texts } from '../en.ts';

export const signIn: Texts['signIn'] = {
  button: 'Zaloguj się',
  busy: 'Logowanie…',
  codeTitle: 'Wpisz kod',
  as: 'Logowanie jako',
  byApp: 'Wpisz kod z aplikacji uwierzytelniającej.',
  byPasskey: 'Użyj klucza dostępu albo wpisz kod zapasowy.',
  byRecovery: 'Wpisz kod zapasowy.',
  recovery: 'Kod zapasowy',
  useRecovery: 'Użyj kodu zapasowego',
  useApp: 'Użyj aplikacji uwierzytelniającej',
  back: 'Użyj innego konta',
  cookiesBlocked: 'Przeglądarka blokuje pliki cookie. Zezwól na nie dla tej witryny i zaloguj się ponownie.',
  tooLong: 'To logowanie wygasło. Zaloguj się ponownie.',
};
