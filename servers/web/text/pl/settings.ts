import type { Texts } from '../en.ts';

export const profile: Texts['profile'] = {
  nameHint: 'Widzą ją osoby, którym coś udostępniasz. Może być pusta.',
  change: 'Zmień zdjęcie',
  remove: 'Usuń',
  changed: 'Zdjęcie zmienione',
  removed: 'Zdjęcie usunięte',
  external: 'Twoje zdjęcie jest w innej witrynie i nie jest tu pokazywane.',
  details: 'Szczegóły',
  id: 'Numer konta',
  since: 'Utworzono',
  pictureHint: 'JPEG, PNG, WebP lub GIF',
  crop: 'Przytnij zdjęcie',
  cropHint: 'Przeciągnij zdjęcie lub użyj klawiszy strzałek. + i − zmieniają rozmiar.',
  zoom: 'Rozmiar',
  use: 'Użyj tej części',
  useWhole: 'Użyj bez zmian',
};

export const sessions: Texts['sessions'] = {
  lead: 'Urządzenia, na których trwa Twoja sesja.',
  here: 'To urządzenie',
  used: (time) => `Ostatnio użyte ${time}`,
  begun: (time) => `zalogowano ${time}`,
  end: 'Wyloguj',
  ended: 'Wylogowano tam',
  endOthers: 'Wyloguj wszystkie inne',
  endedOthers: 'Wszystkie inne są wylogowane',
  details: 'Pełny opis przeglądarki',
  app: (device) => `Aplikacja, zalogowano z: ${device}`,
};

export const remove: Texts['remove'] = {
  lead: 'Konto i wszystkie pliki zostaną usunięte. Tego nie można cofnąć.',
  list: [
    'Twój profil i zdjęcie',
    'Twoje pliki i ich klucze',
    'Twoje sesje na wszystkich urządzeniach',
    'Twój plan: zostanie anulowany',
  ],
  busy: 'Usuwanie…',
};

export const plan: Texts['plan'] = {
  current: 'Twój plan',
  free: 'Bezpłatny',
  renews: (date) => `Odnowi się ${date}`,
  ends: (date) => `Kończy się ${date}`,
  manage: 'Zarządzaj',
  buy: 'Kup plan',
  cycle: 'Płatność',
  monthly: 'Miesięcznie',
  yearly: 'Rocznie',
  choose: (plan) => `Wybierz ${plan}`,
  month: 'miesiąc',
  year: 'rok',
  stale: (date) => `kurs z ${date}`,
  leaving: 'Otwieranie…',
  team: 'Przyznany przez zespół',
};

export const domain: Texts['domain'] = {
  lead: 'Nadaj udostępnianym plikom własny adres.',
  hint: 'Na przykład files.example.com',
  set: 'Ustaw domenę',
  due: 'Dodaj ten rekord do DNS domeny, a potem sprawdź.',
  recordType: 'Typ',
  recordValue: 'Wartość',
  check: 'Sprawdź teraz',
  waiting: 'Czeka na rekord',
  verified: 'Potwierdzona',
  remove: 'Usuń domenę',
  removed: 'Usunięto domenę',
  only: 'Własna domena jest częścią planu enterprise.',
};
