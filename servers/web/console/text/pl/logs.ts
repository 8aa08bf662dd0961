import type { ConsoleTexts } from '../en.ts';

const rules = new Intl.PluralRules('pl');

/** A number with its noun in the fitting form. */
const counted = (count: number, singular: string, few: string, many: string): string => {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = { one: singular, few };
  return `${count} ${forms[rules.select(count)] ?? many}`;
};

export const mails: ConsoleTexts['mails'] = {
  states: { waiting: 'Oczekuje', failing: 'Ponawiany', dead: 'Niewysłany' },
  to: 'Do',
  template: 'E-mail',
  created: 'Utworzony (UTC)',
  due: 'Następna próba (UTC)',
  tries: 'Próby',
  failure: 'Ostatni błąd',
  retry: 'Ponów',
  retryAll: 'Ponów wszystkie',
  retryEffect: 'Od razu ponowimy wysyłkę tego e-maila.',
  retryAllEffect: 'Od razu ponowimy wysyłkę wszystkich oczekujących i niewysłanych e-maili.',
  retried: (count) => `Ponawiamy wysyłkę: ${counted(count, 'e-mail', 'e-maile', 'e-maili')}`,
  nothing: 'Brak e-maili oczekujących na wysłanie.',
  nothingSo: 'Brak e-maili o tym statusie.',
};

export const deliveries: ConsoleTexts['deliveries'] = {
  lead: 'Zdarzenia od operatora płatności.',
  states: {
    pending: 'Oczekuje',
    waiting: 'Oczekuje na użytkownika',
    dead: 'Odrzucone',
    applied: 'Zastosowane',
    ignored: 'Pominięte',
  },
  type: 'Zdarzenie',
  received: 'Odebrane (UTC)',
  retry: 'Zastosuj ponownie',
  retryEffect: 'Od razu zastosujemy zdarzenie ponownie. Jeśli było już zastosowane, nic się nie zmieni.',
  retried: (count) => `Ponawiamy: ${counted(count, 'zdarzenie', 'zdarzenia', 'zdarzeń')}`,
  nothing: 'Brak zdarzeń.',
  nothingSo: 'Brak zdarzeń o tym statusie.',
};
