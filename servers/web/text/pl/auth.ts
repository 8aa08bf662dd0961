import type { Texts } from '../en.ts';

export { signIn } from './sign-in.ts';

export const auth: Texts['auth'] = {
  home: {
    lead: 'Zaloguj się na swoje konto albo utwórz nowe.',
    trial: 'Środowisko testowe',
    mails: 'Wiadomości zapisują się w folderze',
    reference: 'Dokumentacja API',
    console: 'Konsola operatora',
    curl: 'Albo wywołaj API:',
  },
  signUp: {
    button: 'Utwórz konto',
    busy: 'Tworzenie…',
    have: 'Masz już konto?',
    signInThere: 'Zaloguj się',
    consent: {
      both: 'Zakładając konto, akceptujesz {terms} i {privacy}.',
      terms: 'Zakładając konto, akceptujesz {terms}.',
      privacy: 'Zakładając konto, akceptujesz {privacy}.',
      termsName: 'regulamin',
      privacyName: 'politykę prywatności',
    },
  },
  verify: {
    sent: 'Sześciocyfrowy kod wysłaliśmy na adres',
    enterEmail: 'Podaj adres e-mail i sześciocyfrowy kod, który na niego wysłaliśmy.',
    again: 'Wyślij ponownie',
    againIn: (seconds) => `(za ${seconds} s)`,
    sentAgain: 'Nowy kod jest w drodze.',
    passwordHint: 'Hasło podane przy zakładaniu konta',
  },
  signIn: {
    fresh: 'Nie masz konta?',
    passwordSet: 'Nowe hasło zostało ustawione. Możesz się zalogować.',
    undone: 'Przywróciliśmy Twój poprzedni adres e-mail. Możesz się nim zalogować.',
  },
  forgot: {
    lead: 'Podaj adres e-mail. Jeśli konto istnieje, wyślemy na niego kod.',
    busy: 'Wysyłanie…',
    back: 'Wróć do logowania',
    haveCode: 'Mam kod',
  },
  reset: {
    sent: 'Jeśli konto istnieje, kod wysłaliśmy na adres',
    codeHint: '10 liter i cyfr, na przykład ABCDE-12345',
    button: 'Ustaw hasło',
    busy: 'Ustawianie…',
    again: 'Wyślij nowy kod',
  },
};
