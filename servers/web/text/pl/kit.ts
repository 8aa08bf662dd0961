import type { Texts } from '../en.ts';

export const kit: Texts['kit'] = {
  show: 'Pokaż',
  hide: 'Ukryj',
  copy: 'Kopiuj',
  copied: 'Skopiowano',
  notCopied: 'Nie skopiowano: przeglądarka na to nie pozwala. Zaznacz tekst.',
  cancel: 'Anuluj',
  save: 'Zapisz',
  next: 'Dalej',
  tryAgain: 'Spróbuj ponownie',
  stillWaiting: 'To trwa dłużej niż zwykle…',
  language: 'Język',
  theme: 'Kolory',
  themes: { system: 'Systemowe', light: 'Jasne', dark: 'Ciemne' },
  or: 'lub',
  passkey: 'Użyj klucza dostępu',
  signOut: 'Wyloguj się',
  email: 'E-mail',
  password: 'Hasło',
  code: 'Kod',
  name: 'Nazwa',
  domain: 'Domena',
  checking: 'Sprawdzanie…',
  deleteAccount: 'Usuń konto',
  typeToConfirm: (text) => `Wpisz ${text}, aby potwierdzić`,
  unknownDevice: 'Nieznane urządzenie',
  device: (browser, system) => `${browser}, ${system}`,
  tones: { info: 'Uwaga: ', good: 'Gotowe: ', warn: 'Ostrzeżenie: ', danger: 'Błąd: ' },
};

export const signedOut: Texts['signedOut'] = {
  title: 'Wylogowano Cię',
  text: 'Sesja na tym urządzeniu dobiegła końca.',
  button: 'Zaloguj się ponownie',
};
