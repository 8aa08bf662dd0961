import type { ConsoleTexts } from '../en.ts';

export const frame: ConsoleTexts['frame'] = {
  console: 'konsola',
  nav: 'Konsola',
  menu: 'Menu',
  searching: 'Szukamy…',
  newer: '‹ Nowsze',
  older: 'Starsze ›',
  pages: 'Strony listy',
  aPage: '50 na stronie',
  further: 'Szukaj dalej',
  searchedTo: (time) => `Przejrzano wpisy do ${time} i nie znaleziono więcej. Wcześniej mogą być kolejne.`,
  none: '–',
  unchanged: 'Tak już było. Nic nie zapisano.',
  refresh: 'Wczytaj ponownie',
  roles: { founder: 'założyciel', dev: 'dev' },
  over: {
    title: 'Wylogowano Cię',
    text: 'Sesja konsoli kończy się po 30 minutach bez użycia i po 12 godzinach.',
    act: 'Zaloguj się ponownie',
  },
};

export const signIn: ConsoleTexts['signIn'] = {
  lead: 'Tylko dla operatorów.',
  email: 'E-mail',
  password: 'Hasło',
  act: 'Zaloguj się',
  busy: 'Logowanie…',
  second: 'Wpisz sześć cyfr z aplikacji uwierzytelniającej.',
  code: 'Kod',
  recovery: 'Kod zapasowy',
  useRecovery: 'Użyj kodu zapasowego',
  useApp: 'Użyj aplikacji',
  secondAct: 'Dalej',
  back: 'Zacznij od nowa',
  tooLong: 'To trwało zbyt długo. Zaloguj się ponownie.',
  setUp: 'Włącz logowanie dwuetapowe',
  grant: 'Nie ma jeszcze operatora? Mianuj go w wierszu poleceń:',
};

export const proof: ConsoleTexts['proof'] = {
  title: 'Potwierdź, że to Ty',
  text: 'Od logowania minęło trochę czasu. Po potwierdzeniu działanie zostanie dokończone.',
  password: 'Hasło',
  code: 'Kod z aplikacji uwierzytelniającej',
  act: 'Potwierdź',
  busy: 'Sprawdzanie…',
};
