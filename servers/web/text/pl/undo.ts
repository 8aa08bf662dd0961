import type { Texts } from '../en.ts';

export const undo: Texts['undo'] = {
  lead: 'Twój e-mail zmienił ktoś inny? Wpisz poprzedni e-mail i kod, który na niego wysłano. Wszystkie urządzenia zostaną wylogowane.',
  email: 'Poprzedni e-mail',
  button: 'Cofnij zmianę',
  done: 'Przywrócono Twój poprzedni e-mail.',
  restored: 'Przywrócono konto, które zostało usunięte.',
  password: 'Usunięto hasło. Zanim się zalogujesz, ustaw nowe.',
  secondFactor: 'Usunięto drugi składnik lub kody zapasowe.',
  passkey: (name) => `Usunięto klucz dostępu: ${name}`,
  identity: (provider) => `Usunięto sposób logowania: ${provider}`,
};
