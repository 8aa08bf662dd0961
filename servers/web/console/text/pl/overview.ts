import type { ConsoleTexts } from '../en.ts';

export const overview: ConsoleTexts['overview'] = {
  service: {
    store: 'Baza danych',
    objects: 'Zdjęcia profilowe',
    mail: 'E-mail',
    cache: 'Pamięć podręczna',
    cache_epoch: 'Unieważnianie pamięci podręcznej',
    kms: 'Usługa kluczy',
    billing: 'Operator płatności',
    'drop-accounts': 'Usługa kont',
    'drop-metadata': 'Usługa metadanych',
  },
  up: 'Działa',
  down: 'Nie działa',
  partly: 'Działa częściowo',
  degraded: 'Coś wymaga uwagi.',
  well: 'Wszystkie usługi działają.',
  users: {
    now: 'Użytkownicy teraz',
    unverified: 'Niepotwierdzone',
    twoFactor: 'Weryfikacja dwuetapowa',
    banned: 'Zablokowane',
    disabled: 'Wyłączone',
  },
  jobsWell: 'Na czas',
  job: (task) => `Zadanie: ${task}`,
  stalled: 'Zatrzymane',
  lateWhat: [
    'Sprawdź wpisy background.failed w logu; przyczyną jest często baza danych.',
    'Jeśli proces zajmuje zadanie bez postępu, zakończ go; zadanie przejmie inny.',
  ],
  mailsDead: 'Niewysłane e-maile',
  mailsWaiting: 'Oczekujące e-maile',
  mailsWhat: [
    'Sprawdź ostatni błąd: auth oznacza zły klucz, pełna skrzynka dotyczy tylko jednej osoby.',
    'Po usunięciu przyczyny ponów wszystkie.',
  ],
  oldest: (time) => `Najstarszy z ${time} UTC`,
  deliveriesDead: 'Odrzucone zdarzenia',
  deliveriesPending: 'Oczekujące zdarzenia',
  deliveriesWhat: [
    'Przyczynę podaje log; najczęściej brakuje produktu w POLAR_PRODUCTS.',
    'Dodaj go, uruchom usługę ponownie, a potem zastosuj zdarzenia ponownie.',
  ],
  toMails: 'Zobacz e-maile',
  toDeliveries: 'Zobacz zdarzenia',
  toJobs: 'Zobacz zadania',
  dependency: {
    store: [
      'Żądania kończą się kodem 503, ale nic nie zapisuje się częściowo. Usługa wróci sama.',
      'Sprawdź, czy dysk nie jest pełny lub tylko do odczytu i czy serwer bazy danych jest osiągalny.',
    ],
    objects: [
      'Nie można wyświetlać ani dodawać zdjęć; pozostałe funkcje działają.',
      'Powód przy objects.failed w logu wskaże, czy czekać, czy zmienić uprawnienia.',
    ],
    mail: [
      'Żaden e-mail nie ginie, ale kody są ważne 15 minut.',
      'Sprawdź ostatni błąd oczekujących e-maili; gdy dostawca wróci, ponów wszystkie.',
    ],
    cache: [
      'Rekordy są czytane z bazy, a synchronizacja pamięci podręcznej kończy się kodem 503.',
      'Uruchom ponownie Redis; może być pusty.',
    ],
    kms: [
      'Klucze danych i weryfikacja dwuetapowa kończą się kodem 503; rekordy nadal można czytać.',
      'Powód przy kms.failed w logu wskaże, czy usługa jest nieosiągalna, czy odmawia dostępu.',
    ],
    billing: [
      'Plany pozostają bez zmian; zakup i portal kończą się kodem 503.',
      'Poczekaj; jeśli log wskazuje credentials, ustaw nowy POLAR_ACCESS_TOKEN.',
    ],
    'drop-metadata': [
      'Nie można czytać ani zapisywać rekordów plików; logowanie i płatności działają.',
      'Sprawdź, czy usługa działa i czy METADATA_URL do niej prowadzi; przyczynę poda jej log.',
    ],
    other: [
      'Usługa jest nieosiągalna lub odmawia dostępu.',
      'Wyszukaj jej nazwę w logu i zajrzyj do docs/operating.md.',
    ],
  },
};

export const statistics: ConsoleTexts['statistics'] = {
  days: 'Dni',
  span: (days) => `${days} dni`,
  showTable: 'Pokaż jako tabelę',
  showChart: 'Pokaż jako wykres',
  day: 'Dzień (UTC)',
  marker: 'Wybrany dzień',
  noDay: 'Brak danych',
  none: 'Nie ma jeszcze statystyk. Wykresy pojawią się w ciągu godziny od startu.',
  note: 'Liczone co godzinę. Aktywni użytkownicy korzystali z sesji w ciągu 1, 7 lub 30 dni. Nie liczymy osób wylogowanych.',
  signUps: {
    title: 'Rejestracje',
    names: { verified: 'Potwierdzone', unverified: 'Niepotwierdzone' },
    none: 'Brak rejestracji w tych dniach.',
    sentence: (total, days, day, most) => `Rejestracji w ${days} dni: ${total}, najwięcej ${day}: ${most}.`,
  },
  tiers: {
    title: 'Poziomy',
    none: 'Jeszcze nie policzono.',
    sentence: (total, parts) => `Użytkownicy: ${total}; ${parts}.`,
  },
  active: {
    title: 'Aktywni użytkownicy',
    names: { day: '1 dzień', week: '7 dni', month: '30 dni' },
    none: 'Brak aktywnych użytkowników w tych dniach.',
    sentence: (one, seven, thirty) => `Aktywni w ciągu 1 dnia: ${one}, 7 dni: ${seven}, 30 dni: ${thirty}.`,
  },
  mail: {
    title: 'E-maile',
    names: { waiting: 'Najwięcej oczekujących naraz', dead: 'Niewysłane' },
    none: 'Żaden e-mail nie oczekiwał.',
    sentence: (most, day, dead) => `Najwięcej e-maili oczekiwało ${day}: ${most}. Niewysłane: ${dead}.`,
  },
  cache: {
    title: 'Trafienia w pamięci podręcznej',
    hits: 'Trafienia',
    sentence: (rate, days) => `W ciągu ${days} dni ${rate} odczytów obsłużyła pamięć podręczna.`,
    none: 'Brak odczytów w tych dniach.',
  },
};
