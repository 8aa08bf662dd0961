import { proof as ofAccounts } from '../../../text/pl/proof.ts';
import { signIn as atAccounts } from '../../../text/pl/sign-in.ts';
import type { ConsoleTexts } from '../en.ts';

export const signIn: ConsoleTexts['signIn'] = {
  ...atAccounts,
  lead: 'Tylko dla operatorów.',
  byApp: 'Wpisz 6-cyfrowy kod z aplikacji uwierzytelniającej.',
  useApp: 'Użyj aplikacji',
  back: 'Zacznij od nowa',
  setUp: 'Włącz weryfikację dwuetapową',
  grant: 'Nie ma jeszcze operatora? Dodaj go w wierszu poleceń:',
};

export const proof: ConsoleTexts['proof'] = {
  ...ofAccounts,
  text: 'Potwierdź, aby kontynuować.',
  code: 'Kod z aplikacji uwierzytelniającej',
  none: 'Wyloguj się, zaloguj ponownie i spróbuj jeszcze raz.',
};
