import type { Titles } from '../en/page-titles.ts';

export const titles: Titles = {
  '/': 'Przegląd',
  '/sign-in': 'Zaloguj się',
  '/users': 'Użytkownicy',
  '/users/{id}': 'Użytkownik',
  '/audit': 'Dziennik',
  '/mails': 'E-maile',
  '/deliveries': 'Zdarzenia',
  '/jobs': 'Zadania',
  '/keys': 'Klucze',
  '/statistics': 'Statystyki',
};
