import { grouped } from '../codes.ts';
import type { MailTemplate } from '../pending.ts';
import { knownLanguage, languages } from './languages.ts';
import { toHtml, toText } from './layout.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they would end a line in a header
const CONTROL = /[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** On one line, so that no value can begin a header or a paragraph of its own. */
const oneLine = (text: string): string => text.replace(CONTROL, ' ').trim();

/** `2026-01-02T03:04:05.678Z` as `2026-01-02 03:04 UTC`. */
const readableTime = (iso: string): string => {
  const time = new Date(iso);
  return Number.isNaN(time.getTime())
    ? oneLine(iso)
    : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
};

const ifGiven = (value: string | undefined, read: (value: string) => string): string | undefined =>
  value === undefined ? undefined : read(value);

/** The text of a mail. It carries no links, and no secret but the code. */
export const writeMessage = (given: {
  readonly template: MailTemplate;
  readonly language: string;
  /** `minutes` (a code's life), `left` (recovery codes); `at` and `replacedAt` (ISO times), `address`: as known. */
  readonly facts: Readonly<Record<string, string>>;
  readonly code: string | null;
  readonly productName: string;
}): {
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
} => {
  const { template, facts } = given;
  const language = knownLanguage(given.language);
  const { greeting, closing, letters } = languages[language];
  const code = oneLine(given.code ?? '');
  const { subject, blocks } = letters[template]({
    productName: oneLine(given.productName),
    code: template === 'reset' ? grouped(code.replaceAll('-', ''), 5) : code,
    minutes: Number(facts.minutes ?? 0),
    left: Number(facts.left ?? 0),
    at: ifGiven(facts.at, readableTime),
    address: ifGiven(facts.address, oneLine),
    replacedAt: ifGiven(facts.replacedAt, readableTime),
  });
  const all = [greeting, ...blocks, closing];
  return { language, subject, text: toText(all), html: toHtml(language, subject, all) };
};
