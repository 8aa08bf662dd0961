import type { Texts } from '../en.ts';

export { signIn } from './sign-in.ts';

export const auth: Texts['auth'] = {
  newPassword: 'Nowe hasło',
  passwordHint: 'Co najmniej 8 znaków',
  home: {
    lead: (product) => `Twoje konto w ${product}.`,
    signIn: 'Zaloguj się',
    signUp: 'Utwórz konto',
    trial: 'Wersja próbna',
    mails: 'Wiadomości zapisują się w folderze',
    reference: 'Dokumentacja API',
    console: 'Konsola operatora',
    curl: 'Albo wywołaj API:',
  },
  signUp: {
    button: 'Utwórz konto',
    busy: 'Tworzenie…',
    have: 'Masz już konto?',
    signIn: 'Zaloguj się',
    taken: 'Konto z tym adresem już istnieje.',
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
    sent: 'Sześciocyfrowy kod wysłano na',
    enterEmail: 'Wpisz swój e-mail i sześciocyfrowy kod, który na niego wysłano.',
    button: 'Dalej',
    again: 'Wyślij ponownie',
    againIn: (seconds) => `Wyślij ponownie (za ${seconds} s)`,
    sentAgain: 'Nowy kod jest w drodze.',
    change: 'Zmień e-mail',
    passwordHint: 'To, które podano przy zakładaniu konta',
    verified: 'Ten e-mail jest już potwierdzony. Zaloguj się.',
    mails: 'Wiadomości zapisują się w folderze',
  },
  signIn: {
    forgot: 'Nie pamiętasz hasła?',
    fresh: 'Nie masz konta?',
    signUp: 'Utwórz konto',
    leaving: 'Otwieranie…',
    passwordSet: 'Nowe hasło zostało ustawione. Możesz się zalogować.',
    deleted: 'Twoje konto zostało usunięte.',
    undone: 'Przywrócono Twój poprzedni e-mail. Możesz się nim zalogować.',
  },
  forgot: {
    lead: 'Wpisz swój e-mail. Jeśli konto istnieje, wyślemy kod.',
    button: 'Wyślij kod',
    busy: 'Wysyłanie…',
    back: 'Wróć do logowania',
    haveCode: 'Mam kod',
  },
  reset: {
    sent: 'Jeśli konto istnieje, kod wysłano na',
    codeHint: '10 liter i cyfr, na przykład ABCDE-12345',
    button: 'Ustaw hasło',
    busy: 'Ustawianie…',
    again: 'Wyślij nowy kod',
  },
};
