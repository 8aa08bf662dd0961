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

export const toText = (blocks: readonly Block[]): string => `${blocks.map(textOf).join('\n\n')}\n`;

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
export const toHtml = (language: string, title: string, blocks: readonly Block[]): string =>
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
