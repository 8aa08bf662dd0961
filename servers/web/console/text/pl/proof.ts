import type { ConsoleTexts } from '../en.ts';

export const signIn: ConsoleTexts['signIn'] = {
  lead: 'Tylko dla operatorów.',
  email: 'E-mail',
  password: 'Hasło',
  act: 'Zaloguj się',
  busy: 'Logowanie…',
  second: 'Wpisz sześciocyfrowy kod z aplikacji uwierzytelniającej.',
  secondByPasskey: 'Użyj klucza dostępu albo wpisz kod zapasowy.',
  code: 'Kod',
  recovery: 'Kod zapasowy',
  useRecovery: 'Użyj kodu zapasowego',
  useApp: 'Użyj aplikacji',
  secondAct: 'Dalej',
  back: 'Zacznij od nowa',
  tooLong: 'To logowanie wygasło. Zaloguj się ponownie.',
  setUp: 'Włącz logowanie dwuetapowe',
  grant: 'Nie ma jeszcze operatora? Mianuj go w wierszu poleceń:',
};

export const proof: ConsoleTexts['proof'] = {
  title: 'Potwierdź, że to Ty',
  text: 'Potwierdź, aby kontynuować.',
  password: 'Hasło',
  code: 'Kod z aplikacji uwierzytelniającej',
  none: 'Wyloguj się, zaloguj ponownie i spróbuj jeszcze raz.',
  act: 'Potwierdź',
  busy: 'Sprawdzanie…',
};
