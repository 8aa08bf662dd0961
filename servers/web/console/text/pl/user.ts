import type { ConsoleTexts } from '../en.ts';

export const user: ConsoleTexts['user'] = {
  id: 'identyfikator',
  access: (tier, by) => `Dostęp: ${tier}, ${by}`,
  by: { grant: 'nadany', billing: 'z subskrypcji', claim: 'zgłoszony przez użytkownika', free: 'domyślny' },
  grant: 'Nadany',
  billing: 'Z subskrypcji',
  claim: 'Zgłoszony',
  unknown: 'brak danych',
  files: 'Pliki',
  storage: 'Miejsce',
  keys: 'Klucze API',
  account: 'Konto',
  changed: 'Zmienione (UTC)',
  has: 'Ustawione',
  codes: 'Kody zapasowe',
  left: (count) => `zostało: ${count}`,
  role: 'Operator',
  held: {
    password: 'Logowanie jest zablokowane po zbyt wielu błędnych hasłach.',
    verification: 'Potwierdzanie adresu jest zablokowane po zbyt wielu błędnych kodach.',
    'two-factor': 'Weryfikacja dwuetapowa jest zablokowana po zbyt wielu błędnych kodach.',
  },
  sections: { sessions: 'Sesje', audit: 'Dziennik', billing: 'Płatności', mails: 'E-maile' },
  device: 'Urządzenie',
  address: 'Adres IP',
  begun: 'Zalogowano (UTC)',
  used: 'Ostatnia aktywność (UTC)',
  console: 'Konsola',
  older: 'Starsze ›',
  noSessions: 'Brak aktywnych sesji.',
  noBilling: 'Brak zakupów.',
  noMails: 'Brak e-maili oczekujących na wysłanie.',
  plan: 'Plan',
  price: 'Cena',
  renewal: 'Koniec okresu (UTC)',
  cancelled: 'bez odnowienia',
  subscriptions: 'Subskrypcje',
  deliveries: 'Zdarzenia od operatora płatności',
};

export const actions: ConsoleTexts['actions'] = {
  title: 'Działania',
  danger: 'Ogranicz lub usuń',
  until: 'Czas trwania',
  lengths: { '': 'Bezterminowo', '1': '1 dzień', '7': '7 dni', '30': '30 dni', '365': '1 rok' },
  storage: 'Miejsce, np. 1 TB',
  emptyLimit: 'Puste pole: bez zmian.',
  role: 'Rola',
  list: {
    tier: {
      name: 'Ustaw poziom',
      effect: 'Poziom obowiązuje od razu, niezależnie od subskrypcji, do czasu cofnięcia.',
      done: 'Poziom ustawiony',
    },
    clearTier: {
      name: 'Cofnij poziom',
      effect: 'O poziomie znów decyduje subskrypcja. Indywidualne limity pozostają.',
      done: 'Poziom cofnięty',
    },
    endSessions: {
      name: 'Zakończ wszystkie sesje',
      effect: 'Użytkownik zostanie wylogowany na wszystkich urządzeniach i może zalogować się ponownie.',
      done: 'Sesje zakończone',
    },
    endSession: {
      name: 'Zakończ sesję',
      effect: 'Użytkownik zostanie wylogowany na tym urządzeniu i może zalogować się ponownie.',
      done: 'Sesja zakończona',
    },
    resendCode: {
      name: 'Wyślij kod ponownie',
      effect: 'Wyślemy nowy kod do potwierdzenia adresu e-mail. Wcześniejsze kody przestaną działać.',
      done: 'Kod wysłany',
    },
    verify: {
      name: 'Potwierdź adres e-mail',
      effect:
        'Adres e-mail zostanie oznaczony jako potwierdzony. Zrób to tylko, jeśli masz pewność, że należy do użytkownika.',
      done: 'Adres e-mail potwierdzony',
    },
    unlock: {
      name: 'Odblokuj logowanie',
      effect: 'Znosi blokady po błędnych hasłach i kodach. Użytkownik może od razu spróbować ponownie.',
      done: 'Logowanie odblokowane',
    },
    resetTwoFactor: {
      name: 'Wyłącz weryfikację dwuetapową',
      effect:
        'Wyłącza weryfikację dwuetapową, kończy wszystkie sesje i powiadamia użytkownika. Potem wystarczy samo hasło.',
      done: 'Weryfikacja dwuetapowa wyłączona',
    },
    ban: {
      name: 'Zablokuj…',
      effect: 'Użytkownik może tylko zobaczyć profil, wylogować się i usunąć konto.',
      done: 'Zablokowano',
    },
    unban: { name: 'Zdejmij blokadę', effect: 'Blokada kończy się od razu.', done: 'Blokada zdjęta' },
    disable: {
      name: 'Wyłącz…',
      effect:
        'Użytkownik może tylko zobaczyć profil, wylogować się i usunąć konto. To nie jest blokada za naruszenie zasad.',
      done: 'Wyłączono',
    },
    enable: { name: 'Włącz', effect: 'Użytkownik może od razu znów korzystać z konta.', done: 'Włączono' },
    export: {
      name: 'Eksportuj',
      effect: 'Pobiera plik ze wszystkimi danymi użytkownika, zgodnie z art. 15 RODO.',
      done: 'Wyeksportowano',
    },
    delete: {
      name: 'Usuń…',
      effect: 'Usuwa konto i wszystkie pliki oraz anuluje subskrypcję. Tej operacji nie można cofnąć.',
      done: 'Usunięto',
    },
    appoint: {
      name: 'Nadaj rolę operatora',
      effect:
        'Użytkownik zostaje operatorem. Programista może wszystko oprócz eksportu danych, usuwania kont i nadawania ról; założyciel może wszystko.',
      done: 'Rola nadana',
    },
    dismiss: {
      name: 'Odbierz rolę operatora',
      effect: 'Użytkownik przestaje być operatorem.',
      done: 'Rola odebrana',
    },
  },
};

export const userCodes: ConsoleTexts['userCodes'] = {
  already_verified: 'Ten adres e-mail jest już potwierdzony.',
  changed_meanwhile:
    'To konto zmieniło się w międzyczasie. Pokazujemy jego aktualny stan: sprawdź go i spróbuj ponownie.',
  invalid_limit: 'Podaj rozmiar, np. 500 GB lub 1 TB, a liczbę kluczy API jako liczbę całkowitą.',
  invalid_until: 'Wybierz czas w przyszłości.',
  last_founder:
    'Żaden inny założyciel nie mógłby zalogować się do konsoli. Najpierw nadaj rolę założyciela osobie z włączoną weryfikacją dwuetapową.',
  own_account: 'Nie możesz tego zrobić na własnym koncie. Poproś innego operatora.',
  too_many_code_mails: 'Na ten adres wysłano zbyt wiele kodów. Spróbuj ponownie po {time}.',
};
