import type { ConsoleTexts } from '../en.ts';

export const overview: ConsoleTexts['overview'] = {
  state: 'Stan',
  service: {
    store: 'Baza danych',
    objects: 'Pliki zdjęć',
    mail: 'Poczta',
    cache: 'Pamięć podręczna',
    cache_epoch: 'Usuwanie z pamięci podręcznej',
    kms: 'Usługa kluczy',
    billing: 'Operator płatności',
    'drop-accounts': 'Usługa kont',
    'drop-metadata': 'Usługa metadanych',
  },
  up: 'działa',
  down: 'nie działa',
  partly: 'działa częściowo',
  degraded: 'Coś nie działa.',
  well: 'Wszystko, co obserwujemy, działa.',
  what: 'Co robić',
  jobs: 'Zadania',
  jobsWell: 'Wszystkie zadania wykonują się na czas.',
  late: (task) => `Zadanie ${task} stoi`,
  stalled: 'stoi',
  lateWhat: [
    'Poszukaj w logu background.failed: często przyczyną jest baza danych.',
    'Jeśli jeden proces trzyma zadanie i nic się nie dzieje, zakończ ten proces; przejmie je następny.',
  ],
  mailsDead: 'Porzucone maile',
  mailsWaiting: 'Maile w kolejce',
  mailsWhat: [
    'Zobacz, co mówi o nich dostawca: zły klucz to auth, pełna skrzynka dotyczy tylko tej osoby.',
    'Gdy przyczyna zniknie, ponów wszystkie.',
  ],
  oldest: (time) => `najstarszy od ${time}`,
  deliveriesDead: 'Porzucone dostawy',
  deliveriesPending: 'Dostawy w kolejce',
  deliveriesWhat: [
    'Log mówi dlaczego: najczęściej to produkt, którego nie ma w POLAR_PRODUCTS.',
    'Dodaj go, uruchom ponownie, potem zastosuj je ponownie.',
  ],
  toMails: 'Do maili',
  toDeliveries: 'Do dostaw',
  toJobs: 'Do zadań',
  dependency: {
    store: [
      'Żądania dostają 503 i nic nie zostaje zapisane w połowie; samo wróci, gdy przyczyna zniknie.',
      'Sprawdź, czy dysk nie jest pełny albo tylko do odczytu, i czy MongoDB ma osiągalny węzeł główny.',
    ],
    objects: [
      'Nie da się pokazać ani wgrać zdjęć; reszta działa.',
      'Powód przy objects.failed w logu mówi, czy czekać, czy zmienić uprawnienia.',
    ],
    mail: [
      'Żaden mail nie ginie, ale kody działają tylko 15 minut.',
      'Przeczytaj ostatni błąd czekających maili; gdy dostawca wróci, ponów wszystkie.',
    ],
    cache: [
      'Rekordy czytamy z bazy, a synchronizacja pamięci podręcznej dostaje 503.',
      'Przywróć Redis; może wrócić pusty.',
    ],
    kms: [
      'Klucze danych i drugi krok dostają 503; rekordy nadal da się czytać.',
      'Powód przy kms.failed w logu mówi, czy usługa jest nieosiągalna, czy odmawia dostępu.',
    ],
    billing: [
      'Uprawnienia zostają; zakup i portal dostają 503.',
      'Czekaj; jeśli log mówi credentials, ustaw nowy POLAR_ACCESS_TOKEN.',
    ],
    other: ['Jest nieosiągalne albo nam odmawia.', 'Co robić, mówi jego nazwa w logu i docs/operating.md.'],
  },
};

export const statistics: ConsoleTexts['statistics'] = {
  days: 'Dni',
  span: (days) => `${days} dni`,
  showTable: 'Pokaż jako tabelę',
  showChart: 'Pokaż jako wykres',
  day: 'Dzień (UTC)',
  marker: 'Pokazany dzień',
  noDay: 'nie policzono',
  none: 'Nie ma jeszcze statystyk. Pierwszy dzień pojawi się w ciągu godziny od startu.',
  note: 'Aktywny: ma sesję użytą w ciągu 1, 7 lub 30 dni. Wylogowane osoby nie są liczone.',
  signUps: {
    title: 'Rejestracje',
    names: ['potwierdzone', 'niepotwierdzone'],
    sentence: (total, days, day, most) => `Rejestracji w ${days} dni: ${total}, najwięcej ${day}: ${most}.`,
  },
  tiers: {
    title: 'Poziomy',
    sentence: (total, parts) => `Kont: ${total}; ${parts}.`,
  },
  active: {
    title: 'Aktywni użytkownicy',
    names: ['1 dzień', '7 dni', '30 dni'],
    sentence: (one, seven, thirty) => `Aktywni w ciągu 1 dnia: ${one}, 7 dni: ${seven}, 30 dni: ${thirty}.`,
  },
  mail: {
    title: 'Maile',
    names: ['w kolejce, najwięcej w ciągu dnia', 'porzucone'],
    sentence: (most, day, dead) => `Najwięcej maili czekało ${day}: ${most}. Porzucone teraz: ${dead}.`,
  },
  cache: {
    title: 'Trafienia w pamięci podręcznej',
    names: ['trafienia'],
    sentence: (rate, days) => `W ${days} dni ${rate} odczytów to trafienia.`,
    none: 'Nie policzono żadnych odczytów.',
  },
};
