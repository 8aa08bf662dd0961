import type { LetterFacts, Phrasebook } from './phrasebook.ts';

/** The form of a word beside a number: one, few (2 to 4, 22 to 24 and so on), or many. */
const plural = (count: number, one: string, few: string, many: string) => {
  if (count === 1) return one;
  const teen = count % 100 > 11 && count % 100 < 15;
  return count % 10 > 1 && count % 10 < 5 && !teen ? few : many;
};

const minutes = (count: number) => `${count} ${plural(count, 'minutę', 'minuty', 'minut')}`;

const secrecy = ({ productName }: LetterFacts) =>
  `Prosimy nikomu go nie podawać: nikt z zespołu ${productName} nigdy o niego nie zapyta.`;

const codesLeft = (count: number) => {
  if (count === 0) return 'Nie pozostał już żaden kod: prosimy utworzyć nowe w ustawieniach konta.';
  const remained = plural(count, 'Pozostał', 'Pozostały', 'Pozostało');
  return `${remained} ${count} ${plural(count, 'kod zapasowy', 'kody zapasowe', 'kodów zapasowych')}.`;
};

export const polish: Phrasebook = {
  greeting: 'Dzień dobry,',
  closing: 'Ta wiadomość została wysłana automatycznie.',
  foot: { support: 'Pomoc', terms: 'Regulamin', privacy: 'Prywatność' },
  circumstances: { at: 'Kiedy', address: 'Adres IP' },
  letters: {
    verify: (facts) => ({
      subject: `${facts.productName}: kod weryfikacyjny`,
      text: [
        `Aby potwierdzić ten adres e-mail w serwisie ${facts.productName}, prosimy wpisać kod:`,
        { code: facts.code },
        `Kod jest ważny przez ${minutes(facts.minutes)} od chwili, w której o niego poproszono. ${secrecy(facts)}`,
        // Empty if the registration replaced no earlier one.
        ...(facts.replacedAt === ''
          ? []
          : [
              `Uwaga: wcześniejsza rejestracja tego adresu e-mail została zastąpiona nową (${facts.replacedAt}). Jeśli to nie Twoje działanie, prosimy nie używać tego kodu.`,
            ]),
        'Jeśli to nie Twoja prośba, wystarczy zignorować tę wiadomość: bez kodu nic się nie stanie.',
      ],
    }),
    reset: (facts) => ({
      subject: `${facts.productName}: kod do zmiany hasła`,
      text: [
        `Otrzymaliśmy prośbę o ustawienie nowego hasła do Twojego konta w serwisie ${facts.productName}. Jeśli to Twoja prośba, prosimy wpisać kod:`,
        { code: facts.code },
        `Kod działa tylko raz i jest ważny przez ${minutes(facts.minutes)} od chwili, w której o niego poproszono. ${secrecy(facts)}`,
        'Jeśli to nie Twoja prośba, wystarczy zignorować tę wiadomość: hasło pozostanie bez zmian.',
      ],
    }),
    'password-changed': (facts) => ({
      subject: `${facts.productName}: hasło zostało zmienione`,
      text: `Hasło do Twojego konta w serwisie ${facts.productName} zostało zmienione. Pozostałe urządzenia zostały wylogowane.`,
      advice:
        'Jeśli to Twoje działanie, nie trzeba nic robić. Jeśli nie, prosimy natychmiast zresetować hasło za pomocą tego adresu e-mail.',
    }),
    'password-set': (facts) => ({
      subject: `${facts.productName}: konto ma teraz hasło`,
      text: `Do Twojego konta w serwisie ${facts.productName}, które nie miało hasła, ustawiono hasło. Pozostałe urządzenia zostały wylogowane.`,
      advice:
        'Jeśli to Twoje działanie, nie trzeba nic robić. Jeśli nie, prosimy natychmiast zresetować hasło za pomocą tego adresu e-mail.',
    }),
    'two-factor-on': (facts) => ({
      subject: `${facts.productName}: weryfikacja dwuetapowa została włączona`,
      text: `Na Twoim koncie w serwisie ${facts.productName} włączono weryfikację dwuetapową. Od teraz do zalogowania się potrzebny jest także drugi składnik: kod z aplikacji uwierzytelniającej, klucz dostępu albo kod zapasowy. Pozostałe urządzenia zostały wylogowane.`,
      advice: `Jeśli to nie Twoje działanie, ktoś może mieć dostęp do Twojego konta. Prosimy natychmiast zresetować hasło i skontaktować się z pomocą techniczną serwisu ${facts.productName}.`,
    }),
    // If the address is empty, an operator turned it off, which ends every session.
    'two-factor-off': (facts) => ({
      subject: `${facts.productName}: weryfikacja dwuetapowa została wyłączona`,
      text: `Na Twoim koncie w serwisie ${facts.productName} wyłączono weryfikację dwuetapową. Do zalogowania się nie jest już potrzebny drugi składnik. ${facts.address === '' ? 'Wszystkie' : 'Pozostałe'} urządzenia zostały wylogowane.`,
      advice:
        'Jeśli to nie Twoje działanie, prosimy natychmiast zresetować hasło i ponownie włączyć weryfikację dwuetapową.',
    }),
    'recovery-code-used': (facts) => ({
      subject: `${facts.productName}: użyto kodu zapasowego`,
      text: `Na Twoim koncie w serwisie ${facts.productName} użyto kodu zapasowego jako drugiego składnika. Ten kod już nie działa. ${codesLeft(facts.left)}`,
      advice:
        'Jeśli to nie Twoje działanie, prosimy natychmiast zresetować hasło i utworzyć nowe kody zapasowe.',
    }),
    'recovery-codes-renewed': (facts) => ({
      subject: `${facts.productName}: utworzono nowe kody zapasowe`,
      text: `Na Twoim koncie w serwisie ${facts.productName} utworzono nowe kody zapasowe. Poprzednie kody już nie działają.`,
      advice:
        'Jeśli to nie Twoje działanie, prosimy natychmiast zresetować hasło, zalogować się za pomocą aplikacji uwierzytelniającej albo klucza dostępu i utworzyć nowe kody zapasowe.',
    }),
    'session-stolen': (facts) => ({
      subject: `${facts.productName}: sesja zakończona ze względów bezpieczeństwa`,
      text: `Ponownie przesłano do nas wykorzystany już klucz sesji Twojego konta w serwisie ${facts.productName}. Ktoś mógł go skopiować, dlatego zakończyliśmy tę sesję.`,
      advice:
        'Aby dalej korzystać z tego urządzenia, wystarczy zalogować się ponownie. Jeśli to nie Twoje działanie, prosimy zmienić hasło i zakończyć pozostałe sesje.',
    }),
    'email-change-code': (facts) => ({
      subject: `${facts.productName}: kod do zmiany adresu e-mail`,
      text: [
        `Aby ten adres stał się adresem e-mail Twojego konta w serwisie ${facts.productName}, prosimy wpisać kod:`,
        { code: facts.code },
        `Kod jest ważny przez ${minutes(facts.minutes)} od chwili, w której o niego poproszono, na urządzeniu, z którego wysłano prośbę. ${secrecy(facts)}`,
      ],
      advice: 'Jeśli to nie Twoja prośba, wystarczy zignorować tę wiadomość: bez kodu nic się nie stanie.',
    }),
    'email-change-asked': (facts) => ({
      subject: `${facts.productName}: poproszono o zmianę adresu e-mail konta`,
      text: `Ktoś zalogowany na Twoje konto w serwisie ${facts.productName} poprosił o zmianę jego adresu e-mail. Dopóki nowy adres nie zostanie potwierdzony, nic się nie zmieni.`,
      advice:
        'Jeśli to Twoja prośba, nie trzeba tu nic robić. Jeśli nie, prosimy natychmiast zmienić hasło: to zatrzyma zmianę adresu.',
    }),
    // If there is no code to undo the change, an operator made it, which ends no session.
    'email-changed': (facts) => ({
      subject: `${facts.productName}: adres e-mail konta został zmieniony`,
      text: `Twoje konto w serwisie ${facts.productName} ma od teraz inny adres e-mail${facts.code === '' ? ': na prośbę zmieniła go nasza pomoc techniczna' : ''}. Do logowania służy nowy adres i na niego wysyłane są wiadomości.${facts.code === '' ? '' : ' Pozostałe urządzenia zostały wylogowane.'} Kody wysłane wcześniej na ten adres już nie działają.`,
      advice:
        facts.code === ''
          ? `Jeśli to nie Twoja prośba, prosimy niezwłocznie skontaktować się z pomocą techniczną serwisu ${facts.productName}.`
          : [
              `Jeśli to nie Twoje działanie, prosimy w ciągu 7 dni cofnąć zmianę w serwisie ${facts.productName}, podając ten adres e-mail i ten kod:`,
              { code: facts.code },
              'Wszystkie urządzenia zostaną wtedy wylogowane, a dodane od tej pory hasło, drugi składnik i inne sposoby logowania zostaną usunięte. Zaraz potem prosimy ustawić nowe hasło.',
            ],
    }),
    'email-set': (facts) => ({
      subject: `${facts.productName}: nowy adres e-mail Twojego konta`,
      text: `To jest od teraz adres e-mail Twojego konta w serwisie ${facts.productName}: na prośbę zmieniła go nasza pomoc techniczna. Prosimy logować się za jego pomocą. Hasło pozostaje bez zmian, a zalogowane urządzenia pozostają zalogowane.`,
      advice: `Jeśli to nie Twoja prośba, prosimy niezwłocznie skontaktować się z pomocą techniczną serwisu ${facts.productName}.`,
    }),
    'welcome-by-provider': (facts) => ({
      subject: `Witamy w serwisie ${facts.productName}`,
      text: `Dla tego adresu e-mail powstało konto w serwisie ${facts.productName}: przez zalogowanie się za pomocą ${facts.provider}. Tak samo będzie można logować się później; konto nie ma hasła, dopóki nie zostanie ono ustawione.`,
      advice:
        'Jeśli to nie Twoje działanie, prosimy niezwłocznie zresetować hasło, podając ten adres e-mail, a potem usunąć to, co zostało dodane bez Twojej wiedzy.',
    }),
    'passkey-added': (facts) => ({
      subject: `${facts.productName}: dodano klucz dostępu do Twojego konta`,
      text: `Klucza dostępu „${facts.passkey}” można od teraz używać do logowania na Twoje konto w serwisie ${facts.productName}.`,
      advice:
        'Jeśli to Twoje działanie, nic nie trzeba robić. Jeśli nie, prosimy usunąć klucz dostępu w ustawieniach konta i niezwłocznie zmienić hasło.',
    }),
    'passkey-removed': (facts) => ({
      subject: `${facts.productName}: usunięto klucz dostępu z Twojego konta`,
      text: `Klucza dostępu „${facts.passkey}” nie można już używać do logowania na Twoje konto w serwisie ${facts.productName}. Urządzenie może go jeszcze pokazywać; można go tam usunąć.`,
      advice:
        'Jeśli to Twoje działanie, nic nie trzeba robić. Jeśli nie, prosimy niezwłocznie zmienić hasło.',
    }),
    'passkey-copied': (facts) => ({
      subject: `${facts.productName}: klucz dostępu do Twojego konta mógł zostać skopiowany`,
      text: `Klucz dostępu „${facts.passkey}” został użyty w sposób, którego samo urządzenie nie tłumaczy: ktoś może mieć jego kopię. Odrzuciliśmy go i nie można się już nim logować na Twoje konto w serwisie ${facts.productName}.`,
      advice:
        'Prosimy zalogować się w inny sposób, usunąć klucz dostępu w ustawieniach konta i utworzyć nowy.',
    }),
    'identity-linked': (facts) => ({
      subject: `${facts.productName}: połączono ${facts.provider} z Twoim kontem`,
      text: `Od teraz można logować się na Twoje konto w serwisie ${facts.productName} za pomocą ${facts.provider}.`,
      advice:
        'Jeśli to Twoje działanie, nic nie trzeba robić. Jeśli nie, prosimy usunąć ten sposób logowania w ustawieniach konta i niezwłocznie zmienić hasło.',
    }),
    'identity-unlinked': (facts) => ({
      subject: `${facts.productName}: odłączono ${facts.provider} od Twojego konta`,
      text: `Za pomocą ${facts.provider} nie można już logować się na Twoje konto w serwisie ${facts.productName}.`,
      advice:
        'Jeśli to Twoje działanie, nic nie trzeba robić. Jeśli nie, prosimy niezwłocznie zmienić hasło.',
    }),
    'operator-appointed': (facts) => ({
      subject: `${facts.productName}: masz teraz rolę operatora`,
      text: `Twoje konto w serwisie ${facts.productName} ma od teraz rolę operatora „${facts.role}”.`,
      advice: `Jeśli to dla Ciebie niespodzianka, prosimy niezwłocznie skontaktować się z pozostałymi operatorami serwisu ${facts.productName}.`,
    }),
    'operator-dismissed': (facts) => ({
      subject: `${facts.productName}: nie masz już roli operatora`,
      text: `Twoje konto w serwisie ${facts.productName} nie ma już roli operatora. Samo konto pozostaje bez zmian.`,
      advice: `Jeśli to dla Ciebie niespodzianka, prosimy niezwłocznie skontaktować się z pozostałymi operatorami serwisu ${facts.productName}.`,
    }),
    'operators-changed': (facts) => ({
      subject: `${facts.productName}: zmieniono rolę operatora`,
      text: [
        `Tę wiadomość dostają wszyscy założyciele serwisu ${facts.productName}: ktoś otrzymał rolę operatora, zmienił rolę albo ją stracił.`,
        {
          details: [
            ['Konto', facts.operator],
            ['Rola przedtem', facts.formerRole || 'brak'],
            ['Rola teraz', facts.role || 'brak'],
            ['Kto zmienił', facts.actor],
          ],
        },
      ],
      advice:
        'Jeśli powód nie jest znany, prosimy od razu zajrzeć do dziennika audytu. Jeśli zmiana nie była zamierzona, prosimy ją cofnąć i zakończyć sesje osoby, która jej dokonała.',
    }),
    'app-signed-in': (facts) => ({
      subject: `${facts.productName}: zalogowano w aplikacji ${facts.app}`,
      text: `W aplikacji ${facts.app} zalogowano się na Twoje konto w serwisie ${facts.productName}, z przeglądarki, w której trwała już Twoja sesja. Aplikacja pozostanie zalogowana do czasu wylogowania w tej przeglądarce.`,
      advice:
        'Jeśli to Twoje działanie, nic nie trzeba robić. Jeśli nie, prosimy wylogować wszystkie inne sesje w ustawieniach konta i niezwłocznie zmienić hasło.',
    }),
    'account-deletion-waits': (facts) => ({
      subject: `${facts.productName}: konto zostało usunięte`,
      text: `Twoje konto w serwisie ${facts.productName} zostało usunięte i nikt nie może się już na nie zalogować. Ponieważ niedawno zmieniono jego adres e-mail, dane będą przechowywane do ${facts.until}, a potem zostaną trwale usunięte. Do tego czasu na poprzedni adres nie można założyć nowego konta.`,
      advice:
        'Jeśli to Twoje działanie, nic nie trzeba robić. Jeśli nie, prosimy do tego czasu cofnąć zmianę adresu za pomocą kodu, który wysłano na poprzedni adres. Przywróci to także konto.',
    }),
    'account-deleted': (facts) => ({
      subject: `${facts.productName}: konto zostało usunięte`,
      text: `Twoje konto w serwisie ${facts.productName} zostało usunięte wraz z danymi. Tej operacji nie można cofnąć.`,
      advice: `Jeśli to nie Twoje działanie, prosimy niezwłocznie skontaktować się z pomocą techniczną serwisu ${facts.productName}.`,
    }),
  },
};
