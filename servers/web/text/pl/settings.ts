import type { Texts } from '../en.ts';

export const profile: Texts['profile'] = {
  nameHint: 'Widoczna dla osób, którym udostępniasz pliki. Opcjonalna.',
  change: 'Zmień zdjęcie',
  changed: 'Zdjęcie zostało zmienione',
  removed: 'Zdjęcie zostało usunięte',
  external: 'Twoje zdjęcie jest w innej witrynie i nie jest tu pokazywane.',
  id: 'Identyfikator konta',
  since: 'Utworzono',
  crop: 'Przytnij zdjęcie',
  cropHint: 'Przeciągnij zdjęcie, aby je przesunąć.',
  cropKeys: 'Możesz też użyć strzałek oraz klawiszy + i −.',
  zoom: 'Powiększenie',
  smaller: 'Pomniejsz',
  larger: 'Powiększ',
  use: 'Zapisz zdjęcie',
  useWhole: 'Użyj całego zdjęcia',
};

export const sessions: Texts['sessions'] = {
  lead: 'Urządzenia i aplikacje zalogowane na Twoje konto.',
  here: 'To urządzenie',
  active: (ago) => `Aktywność: ${ago}`,
  begun: (time) => `Zalogowano: ${time}`,
  end: 'Wyloguj',
  ended: 'Wylogowano z sesji',
  endOthers: 'Wyloguj pozostałe sesje',
  endedOthers: 'Pozostałe sesje zostały wylogowane',
  app: (device) => `Aplikacja, przez: ${device}`,
};

export const remove: Texts['remove'] = {
  lead: 'Usuń konto i wszystkie pliki. Tej operacji nie można cofnąć.',
  also: 'Usunięcie konta oznacza utratę:',
  list: [
    'profilu i zdjęcia',
    'plików i ich kluczy',
    'sesji na wszystkich urządzeniach',
    'planu: subskrypcja zostanie anulowana',
  ],
  final: 'Tej operacji nie można cofnąć.',
  busy: 'Usuwanie…',
};

export const plan: Texts['plan'] = {
  free: 'Bezpłatny',
  renews: (date) => `Odnowi się ${date}`,
  ends: (date) => `Kończy się ${date}`,
  pastDue: 'Ostatnia płatność się nie powiodła. Zaktualizuj metodę płatności, aby zachować plan.',
  manage: 'Zarządzaj planem',
  buy: 'Wybierz plan',
  cycle: 'Okres rozliczeniowy',
  monthly: 'Miesięcznie',
  yearly: 'Rocznie',
  choose: (plan) => `Wybierz ${plan}`,
  charged: (dollars, date) => `Pobierzemy ${dollars}; przeliczono po kursie z ${date}`,
  saving: (money) => `Oszczędzasz ${money} rocznie`,
  team: 'Przyznany przez nasz zespół',
};

export const settingsCodes: Texts['settingsCodes'] = {
  already_subscribed: 'Masz już plan.',
  avatar_not_found: 'Nie ma zdjęcia.',
  checkout_refused: 'Ten plan jest teraz niedostępny.',
  file_too_large: 'Ten plik jest za duży.',
  image_broken: 'Tego zdjęcia nie da się odczytać.',
  image_too_large: 'To zdjęcie ma za dużo pikseli.',
  invalid_display_name: 'Użyj najwyżej 100 znaków, bez podziału wierszy.',
  no_active_subscription: 'Nie masz subskrypcji.',
  no_billing_customer: 'Nie masz jeszcze żadnych zakupów.',
  not_an_image: 'Wybierz JPEG, PNG, WebP lub GIF.',
  price_unavailable: 'Cena jest teraz niedostępna.',
};
