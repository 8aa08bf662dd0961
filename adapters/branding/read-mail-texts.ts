import { readFileSync } from 'node:fs';
import { languages } from '../../core/accounts/mail/languages.ts';
import { escaped } from '../../core/accounts/mail/mail-html.ts';
import { factNames } from '../../core/accounts/mail/mail-texts.ts';
import { type InlineImage, type MailTexts, noMailTexts, type OwnMail } from '../../core/index.ts';
import { ConfigError } from '../config/config-error.ts';
import { lineAt, readFiles } from './operator-folder.ts';

/** A parsed template or a part of one. Renders its text with the values of its names, each as `show` gives it (escaped, say). */
type Template = (
  values: Readonly<Record<string, string>>,
  show: (value: string, name: string) => string,
) => string;

const TAG = /\{\{\s*([#^/]?)\s*([^{}]*?)\s*\}\}/g;

const joinParts =
  (parts: readonly Template[]): Template =>
  (values, show) =>
    parts.map((part) => part(values, show)).join('');

/**
 * Parses a template: `{{name}}`, `{{#name}}…{{/name}}` if the name has a value, `{{^name}}…{{/name}}` if it has none, and
 * nothing else. `shown` are the names whose values appear in the text, not those that only open a section.
 */
const readTemplate = (text: string, names: readonly string[]) => {
  const faults: { readonly line: number; readonly problem: string }[] = [];
  const shown = new Set<string>();
  const rootParts: Template[] = [];
  const open: {
    readonly sign: string;
    readonly name: string;
    readonly line: number;
    readonly parts: Template[];
  }[] = [];
  const add = (part: Template) => (open.at(-1)?.parts ?? rootParts).push(part);

  let end = 0;
  for (const { 0: tag, 1: sign = '', 2: name = '', index } of text.matchAll(TAG)) {
    const before = text.slice(end, index);
    add(() => before);
    end = index + tag.length;
    const line = lineAt(text, index);
    if (!names.includes(name))
      faults.push({
        line,
        problem: `{{${sign}${name}}} is no name of a mail: it must be one of ${names.join(', ')}`,
      });
    if (sign === '') {
      shown.add(name);
      add((values, show) => show(values[name] ?? '', name));
    } else if (sign !== '/') {
      // The tags up to the end of the section add to these parts.
      const parts: Template[] = [];
      const section = joinParts(parts);
      const ifEmpty = sign === '^';
      add((values, show) => {
        const isEmpty = (values[name] ?? '') === '';
        return isEmpty === ifEmpty ? section(values, show) : '';
      });
      open.push({ sign, name, line, parts });
    } else if (open.at(-1)?.name === name) open.pop();
    else faults.push({ line, problem: `{{/${name}}} closes no section` });
  }
  const rest = text.slice(end);
  add(() => rest);
  for (const { sign, name, line } of open) faults.push({ line, problem: `{{${sign}${name}}} is not closed` });
  return { template: joinParts(rootParts), shown, faults };
};

const SETTING = 'MAIL_TEMPLATES_DIR';
const MOST_FILE_BYTES = 102_400;
const LAYOUT = 'layout.html';

const MAILS: ReadonlySet<string> = new Set(Object.keys(languages.en.letters));
const LANGUAGES: ReadonlySet<string> = new Set(Object.keys(languages));

/** Mails whose template must show the code: in `email-changed` best inside `{{#code}}`, as a change by operators has none. */
const WITH_CODE: ReadonlySet<string> = new Set(['verify', 'reset', 'email-change-code', 'email-changed']);

const NAME = /^([a-z-]+)\.([a-z]{2})\.(txt|html)$/;
/** The first line of a text mail, with the blank line behind it. */
const SUBJECT = /^Subject: ([^\r\n]+)\r?\n(?:\r?\n)?/;

const unescaped = (value: string) => value;

const readTemplateFile = (name: string, text: string) => {
  const [, mail = '', language = '', form = ''] = NAME.exec(name) ?? [];
  const lines: string[] = [];
  const fault = (line: number, problem: string) =>
    lines.push(`${SETTING}: ${name}, line ${line}: ${problem}.`);

  const isLayout = name === LAYOUT;
  if (!isLayout && !(MAILS.has(mail) && LANGUAGES.has(language)))
    lines.push(`${SETTING}: ${name} is no mail: its name must be MAIL.LANGUAGE.txt or .html, or ${LAYOUT}.`);
  if (Buffer.byteLength(text) > MOST_FILE_BYTES)
    lines.push(`${SETTING}: ${name} has more than ${MOST_FILE_BYTES / 1_024} KiB.`);
  const script = /<script/i.exec(text);
  if (script !== null) fault(lineAt(text, script.index), 'a mail must have no script');

  const names = isLayout ? [...factNames, 'body'] : factNames;
  const [beginning = '', subject = ''] = (form === 'txt' ? SUBJECT.exec(text) : null) ?? [];
  if (form === 'txt' && beginning === '') fault(1, 'the first line must be Subject: and the subject');
  // Subject and text are parsed separately, so that no section spans both.
  const head = readTemplate(subject, names);
  const body = readTemplate(text.slice(beginning.length), names);
  for (const { line, problem } of head.faults) fault(line, problem);
  const linesBeforeBody = beginning.split('\n').length - 1;
  for (const { line, problem } of body.faults) fault(linesBeforeBody + line, problem);
  const mentions = (fact: string) => head.shown.has(fact) || body.shown.has(fact);
  if (isLayout && !mentions('body')) fault(1, '{{body}} is missing');
  if (WITH_CODE.has(mail) && !mentions('code')) fault(1, '{{code}} is missing');

  return { file: { name, subject: head.template, body: body.template }, faults: lines };
};

/** Reads an operator's own mails. Throws `ConfigError` with the file of every fault, and its line where it has one. */
export const readMailTexts = (folder: string | null, logo: InlineImage | null): MailTexts => {
  if (folder === null) return { ...noMailTexts, logo };
  const texts = readFiles(SETTING, folder, (path) => readFileSync(path, 'utf8'));
  const results = [...texts].map(([name, text]) => readTemplateFile(name, text));
  const lines = results.flatMap(({ faults }) => faults);
  if (lines.length > 0) throw new ConfigError(lines);

  const files = new Map(results.map(({ file }) => [file.name, file]));
  const layout = files.get(LAYOUT)?.body;
  const find: MailTexts['find'] = (mail, language) => {
    const text = files.get(`${mail}.${language}.txt`);
    const html = files.get(`${mail}.${language}.html`)?.body;
    const ownMail: OwnMail = {
      text: text
        ? (facts) => ({ subject: text.subject(facts, unescaped), text: text.body(facts, unescaped) })
        : null,
      html: html ? (facts) => html(facts, escaped) : null,
    };
    return text || html ? ownMail : undefined;
  };
  const frame: MailTexts['frame'] = layout
    ? (facts, body) =>
        // The body is already HTML.
        layout({ ...facts, body }, (value, name) => (name === 'body' ? value : escaped(value)))
    : null;
  return { find, frame, logo };
};
