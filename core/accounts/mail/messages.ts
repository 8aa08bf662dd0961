import { grouped } from '../codes.ts';
import type { MailTemplate } from '../pending.ts';
import { knownLanguage, languages } from './languages.ts';
import type { Block } from './phrasebook.ts';

/** So that the plain text can be read raw: no transfer encoding has to break its lines (RFC 2045 section 6.7). */
const WIDTH = 72;

const wrapped = (paragraph: string): string => {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join('\n');
};

const textOf = (block: Block): string => {
  if (typeof block === 'string') return wrapped(block);
  if ('code' in block) return `    ${block.code}`;
  return block.details.map(([label, value]) => `    ${label}: ${value}`).join('\n');
};

const toText = (blocks: readonly Block[]): string => `${blocks.map(textOf).join('\n\n')}\n`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

// The code has a line of its own in the source as well, so that a transfer encoding does not split it.
const htmlOf = (block: Block): string => {
  if (typeof block === 'string') return `<p>\n${wrapped(escaped(block))}\n</p>`;
  if ('code' in block) {
    return `<p style="font: bold 1.75em monospace; letter-spacing: 0.1em">\n${escaped(block.code)}\n</p>`;
  }
  return `<p>\n${block.details.map(([label, value]) => escaped(`${label}: ${value}`)).join('<br>\n')}\n</p>`;
};

/** One column of text without colours or images, so that it reads the same in any reader, dark ones included. */
const toHtml = (language: string, title: string, blocks: readonly Block[]): string =>
  [
    '<!doctype html>',
    `<html lang="${language}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    '</head>',
    '<body style="margin: 0; padding: 1.5em; font: 1em/1.5 sans-serif">',
    '<main style="max-width: 36em; margin: 0 auto">',
    ...blocks.map(htmlOf),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');

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
  /** `minutes` (a code's life), `left` (recovery codes); `at` and `replacedAt` (ISO times), `address`, `provider`, `passkey`: as known. */
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
    provider: oneLine(facts.provider ?? ''),
    passkey: oneLine(facts.passkey ?? ''),
  });
  const all = [greeting, ...blocks, closing];
  return { language, subject, text: toText(all), html: toHtml(language, subject, all) };
};
