import type { Texts } from '../en.ts';

export const undo: Texts['undo'] = {
  lead: 'Ktoś inny zmienił Twój adres e-mail? Podaj poprzedni adres i kod, który na niego wysłaliśmy. Wszystkie urządzenia zostaną wylogowane.',
  email: 'Poprzedni adres e-mail',
  button: 'Cofnij zmianę',
  done: 'Przywróciliśmy Twój poprzedni adres e-mail.',
  restored: 'Przywrócono konto, które zostało usunięte.',
  password: 'Usunięto hasło. Zanim się zalogujesz, ustaw nowe.',
  secondFactor: 'Usunięto drugi składnik lub kody zapasowe.',
  passkey: (name) => `Usunięto klucz dostępu: ${name}`,
  identity: (provider) => `Usunięto sposób logowania: ${provider}`,
};
