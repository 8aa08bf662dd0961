import type { MailTemplate } from '../outbox-entries.ts';
import { english } from './english.ts';
import type { MailContent } from './messages.ts';

export const mailNames = Object.keys(english.letters) as readonly MailTemplate[];

const CODES: Partial<Readonly<Record<MailTemplate, string>>> = {
  verify: '604036',
  reset: '7K2PQ-M9XRT',
  'email-change-code': '604036',
  'email-changed': '7K2PQ-M9XRT',
};

/** A sample mail for previews. */
export const sampleMail = (template: MailTemplate, language: string): MailContent => ({
  template,
  language,
  code: CODES[template] ?? null,
  facts: {
    minutes: '15',
    left: '6',
    at: '2026-01-02T03:04:05Z',
    address: '203.0.113.7',
    until: '2026-01-09T03:04:05Z',
    operator: 'ada@example.com',
    role: 'dev',
    formerRole: '',
    actor: 'eve@example.com',
    provider: 'Example ID',
    passkey: 'Passkey 2 January 2026',
    app: 'app.example.com',
  },
});
