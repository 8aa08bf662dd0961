import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { settings } from '../adapters/config/all-settings.ts';
import { documentedTexts } from './support/tree/documented-text.ts';
import { root } from './support/tree/root.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const specification = read('docs/interface.md');
const endpoints = documentedTexts();
const rows = [...specification.matchAll(/^\| \[`([A-Z]+ [^`?]+)`.*$/gm)].map(([line, endpoint = '']) => {
  const cells = line.split(' | ');
  return { endpoint, takes: cells.at(-2) ?? '', answers: cells.at(-1) ?? '' };
});
const words = (text: string) => [...text.matchAll(/`([a-zA-Z]+)`/g)].map(([, word = '']) => word);

describe('The interface specification', () => {
  it('contains every section that a comment cites', () => {
    const sections = [...specification.matchAll(/^#{2,3} (\d(?:\.\d)?)\.? /gm)].map(([, number]) => number);
    const files = ['core', 'adapters', 'servers', 'cli'].flatMap((layer) =>
      readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(layer, file)),
    );
    const cited = files.flatMap((file) =>
      [...read(file).matchAll(/[Ss]pec section (\d(?:\.\d)?)/g)].map(([, number]) => number),
    );
    expect(cited.length).to.be.greaterThan(10);
    expect(sections).to.include.members(cited);
  });

  it('names only endpoints and members of the OpenAPI documents', () => {
    expect(rows.length).to.be.greaterThan(35);
    for (const { endpoint, takes } of rows) {
      const text = endpoints.get(endpoint)?.text;
      for (const word of words(takes)) {
        // `enterprise` is a tier, not a member.
        if (word !== 'enterprise') expect(text, endpoint).to.include(`"${word}"`);
      }
    }
  });

  it('names every member of a user', () => {
    const { responses } = endpoints.get('GET /api/auth/me') ?? {};
    const answer = JSON.parse(responses?.['200'] ?? '');
    const { user } = answer.content['application/json'].schema.properties;
    const [named = ''] = /^\| User in a sign-in .*\n.*$/m.exec(specification) ?? [];
    expect(words(named)).to.include.members(Object.keys(user.properties));
  });

  it('names only statuses and codes of the OpenAPI documents', () => {
    for (const { endpoint, answers } of rows) {
      const { text = '', responses = {} } = endpoints.get(endpoint) ?? {};
      for (const [status] of answers.matchAll(/\b[2-5]\d\d\b/g)) {
        expect(responses, endpoint).to.have.property(status);
      }
      for (const [, code] of answers.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)) {
        expect(text, endpoint).to.include(`"${code}"`);
      }
    }
  });

  it('states the default of each limit', () => {
    const limits = [...specification.matchAll(/^\| [^|]+ \| ([^|]+) \| `([A-Z_]+)` \|$/gm)];
    expect(limits.length).to.be.greaterThan(6);
    for (const [, value = '', name = ''] of limits) {
      const setting = settings.find((one) => one.name === name);
      const digits = value.replaceAll(',', '');
      expect(digits, name).to.match(new RegExp(`\\b${setting?.default ?? name}\\b`));
    }
  });
});
