import type { ConsoleTexts } from '../en.ts';

const rules = new Intl.PluralRules('pl');

/** A number with the form of its noun. */
const counted = (count: number, singular: string, few: string, many: string): string => {
  const form = rules.select(count);
  return `${count} ${form === 'one' ? singular : form === 'few' ? few : many}`;
};

export const audit: ConsoleTexts['audit'] = {
  actor: 'Kto',
  action: 'Działanie',
  target: 'Czego dotyczy',
  from: 'Od (dzień UTC)',
  to: 'Do (dzień UTC)',
  clear: 'Wyczyść',
  when: 'Czas (UTC)',
  who: 'Kto',
  what: 'Działanie',
  why: 'Powód',
  change: 'Przed → po',
  before: 'Przed',
  after: 'Po',
  request: 'Żądanie',
  erased: 'usunięte z użytkownikiem',
  nothing: 'Nie ma takich wpisów.',
  nothingYet: 'Dziennik jest pusty.',
  verify: {
    title: 'Sprawdź dziennik',
    lead: 'Sprawdza każdy wpis dziennika, jego łańcuch i podpis.',
    button: 'Sprawdź',
    progress: (checked) => `Sprawdzono wpisów: ${checked}`,
    intact: (rows, erased) => `Dziennik jest nienaruszony. Wpisów: ${rows}, w tym usuniętych: ${erased}.`,
    broken: (number) => `Dziennik jest naruszony we wpisie ${number}.`,
    what: 'Niczego nie zmieniaj. Zrób kopię, potem postępuj wg „The audit log does not verify” w docs/operating.md.',
    head: 'Podpis końca, do zapisania gdzie indziej',
    begun: (time) => `Rozpoczęto ${time}`,
  },
};

export const mails: ConsoleTexts['mails'] = {
  state: 'Stan',
  all: 'wszystkie',
  states: { waiting: 'czeka', failing: 'nie wychodzi', dead: 'porzucony' },
  to: 'Do',
  template: 'Mail',
  created: 'Napisany (UTC)',
  due: 'Następna próba (UTC)',
  tries: 'Próby',
  failure: 'Ostatni błąd',
  retry: 'Ponów',
  retryAll: 'Ponów wszystkie',
  retryEffect: 'Ten mail zostanie wysłany od razu, z co najmniej jedną nową próbą.',
  retryAllEffect: 'Każdy mail w kolejce zostanie wysłany od razu, także porzucone.',
  retried: (count) => `Ponawiamy: ${counted(count, 'mail', 'maile', 'maili')}`,
  nothing: 'Żaden mail nie czeka.',
  nothingSo: 'Żaden mail nie jest w tym stanie.',
};

export const deliveries: ConsoleTexts['deliveries'] = {
  lead: 'Zdarzenia od operatora płatności.',
  state: 'Stan',
  all: 'wszystkie',
  states: {
    pending: 'czeka',
    waiting: 'czeka na użytkownika',
    applied: 'zastosowana',
    ignored: 'pominięta',
    dead: 'porzucona',
  },
  type: 'Zdarzenie',
  user: 'Użytkownik',
  received: 'Odebrana (UTC)',
  due: 'Następna próba (UTC)',
  tries: 'Próby',
  failure: 'Ostatni błąd',
  replay: 'Zastosuj ponownie',
  replayEffect: 'Dostawa zostanie od razu zastosowana ponownie. Jeśli już była, niczego nie zmieni.',
  replayed: (count) => `Ponawiamy: ${counted(count, 'dostawę', 'dostawy', 'dostaw')}`,
  nothing: 'Brak dostaw.',
};

export const jobs: ConsoleTexts['jobs'] = {
  lead: 'Praca w tle. Każde zadanie wykonuje naraz jeden proces.',
  task: 'Zadanie',
  every: 'Co ile',
  last: 'Ostatni sukces (UTC)',
  held: 'Wykonuje',
  state: 'Stan',
  well: 'na czas',
  late: 'stoi',
  waits: 'jeszcze nie było',
  nobody: 'nikt',
  nothing: 'Żaden proces nie wykonuje zadań.',
  lengths: {
    seconds: (count) => `${count} s`,
    minutes: (count) => `${count} min`,
    hours: (count) => `${count} godz.`,
  },
};

export const keys: ConsoleTexts['keys'] = {
  lead: 'Klucze wymienia się w wierszu poleceń, bo to zapisuje pliki kluczy:',
  kind: 'Rodzaj',
  kinds: { signing: 'do podpisów', master: 'główny' },
  states: {
    next: 'następny',
    current: 'bieżący',
    old: 'poprzedni',
    over: 'wygasły',
    retired: 'wycofany',
    unknown: 'nieznany',
  },
  id: 'Identyfikator',
  state: 'Stan',
  created: 'Utworzony (UTC)',
  sealed: 'Zaszyfrowane nim sekrety',
  counted: (time) => `policzono ${time}`,
  nothing: 'Nie ma kluczy.',
};
