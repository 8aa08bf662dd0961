import type { Texts } from '../en.ts';

export const security: Texts['security'] = {
  passwordText: 'Po ustawieniu nowego hasła pozostałe urządzenia zostaną wylogowane.',
  noPassword: 'Hasło nie jest ustawione.',
  setPassword: 'Ustaw hasło',
  passwordSince: (date) => `Zmieniono ${date}.`,
  changePassword: 'Zmień hasło',
  current: 'Obecne hasło',
  passwordChanged: 'Hasło zostało zmienione. Pozostałe urządzenia zostały wylogowane.',
  newEmail: 'Nowy adres e-mail',
  emailSent: 'Wysłaliśmy kod na nowy adres, a na poprzedni powiadomienie.',
  emailCode: 'Kod z nowego adresu',
  emailChanged: 'Adres e-mail został zmieniony',
  secondText: 'Dodatkowo poprosimy o kod z aplikacji uwierzytelniającej.',
  on: 'Włączona',
  off: 'Wyłączona',
  switchOn: 'Włącz',
  switchOff: 'Wyłącz',
  switchedOff: 'Weryfikacja dwuetapowa jest wyłączona.',
  byPasskey: 'Użyj moich kluczy dostępu',
  codesLeft: (left) => `Zostało kodów zapasowych: ${left} z 10.`,
  held: (time) => `Zbyt wiele błędnych kodów. Kody zadziałają po ${time}.`,
  newCodes: 'Utwórz nowe kody zapasowe',
  newCodesText: 'Stare kody od razu przestaną działać.',
};

export const setup: Texts['setup'] = {
  steps: ['Zeskanuj', 'Potwierdź', 'Kody zapasowe'],
  scan: 'Zeskanuj kod QR aplikacją uwierzytelniającą albo wpisz klucz ręcznie.',
  qr: 'Kod QR; klucz jest obok',
  key: 'Klucz',
  previous: 'Pokaż kod QR',
  code: 'Kod z aplikacji uwierzytelniającej',
  on: 'Weryfikacja dwuetapowa jest już włączona.',
  codesText:
    'Każdym kodem zapasowym zalogujesz się raz, jeśli utracisz dostęp do aplikacji uwierzytelniającej.',
  codesOnce: 'Kody są pokazywane tylko teraz.',
  paper: (product) => `Kody zapasowe do ${product}`,
  leaveTitle: 'Wyjść bez zapisania kodów zapasowych?',
  leaveText: 'Nie pokażemy ich ponownie. Bez nich nie zalogujesz się po utracie aplikacji.',
  leave: 'Wyjdź',
  stay: 'Zostań',
  download: 'Pobierz',
  print: 'Drukuj',
  saved: 'Mam zapisane kody zapasowe',
  done: 'Zakończ',
  fileName: 'kody-zapasowe.txt',
};

export const passkeys: Texts['passkeys'] = {
  title: 'Klucze dostępu',
  lead: 'Logowanie odciskiem palca, twarzą lub PIN-em, bez hasła.',
  add: 'Dodaj klucz dostępu',
  made: 'Dodano klucz dostępu',
  none: 'Ta przeglądarka nie obsługuje kluczy dostępu.',
  name: 'Nazwa klucza dostępu',
  rename: 'Zmień nazwę',
  removed: 'Usunięto klucz dostępu',
  synced: 'Na kilku urządzeniach',
  added: (date) => `Dodano ${date}`,
  used: (date) => `ostatnio użyto ${date}`,
  unused: 'jeszcze nieużyty',
};

export const identities: Texts['identities'] = {
  title: 'Połączone konta',
  lead: 'Konta w innych usługach, którymi się tu logujesz.',
  since: (date) => `połączono ${date}`,
  add: (name) => `Połącz ${name}`,
  remove: 'Rozłącz',
  removed: 'Rozłączono',
};

export const domain: Texts['domain'] = {
  lead: 'Udostępniaj pliki pod własną domeną.',
  hint: 'Na przykład files.example.com',
  set: 'Ustaw domenę',
  due: 'Dodaj ten rekord w DNS swojej domeny, a potem go sprawdź.',
  recordType: 'Typ',
  recordValue: 'Wartość',
  check: 'Sprawdź teraz',
  waiting: 'Oczekiwanie na rekord',
  verified: 'Potwierdzona',
  remove: 'Usuń domenę',
  removed: 'Usunięto domenę',
  only: 'Własna domena jest częścią planu Enterprise.',
};

export const securityCodes: Texts['securityCodes'] = {
  dns_unavailable: 'Nie udało się sprawdzić domeny. Spróbuj ponownie za chwilę.',
  domain_not_set: 'Najpierw ustaw domenę.',
  domain_not_verified: 'Nie znaleziono jeszcze rekordu TXT. Zmiany mogą potrwać godzinę.',
  domain_taken: 'Tej domeny używa inne konto.',
  enterprise_only: 'Ta funkcja jest dostępna w planie Enterprise.',
  identity_not_found: 'To konto nie jest połączone.',
  invalid_domain: 'Wpisz nazwę domeny, na przykład files.example.com.',
  invalid_name: 'Nazwa musi mieć od 1 do 64 znaków.',
  last_second_factor:
    'To Twój jedyny drugi składnik. Najpierw dodaj inny albo wyłącz weryfikację dwuetapową.',
  last_sign_in_method: 'To Twój ostatni sposób logowania. Najpierw dodaj inny.',
  passkey_taken: 'Ten klucz dostępu jest już używany.',
  reserved_domain: 'Tej domeny nie można użyć.',
  same_email: 'To już jest Twój adres e-mail.',
  too_many_domains: 'Zbyt wiele zmian domeny. Spróbuj ponownie po {time}.',
  too_many_passkeys: 'Możesz dodać do 20 kluczy dostępu.',
  two_factor_not_pending: 'Ta konfiguracja wygasła. Zacznij od nowa.',
};
