import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { consoleRoutes } from '../../../servers/console/routes.ts';
import { useService } from '../../support/service.ts';
import { root } from '../../support/tree/root.ts';

const withoutNames = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');

describe('docs/console.md', () => {
  const service = useService();

  it('lists only calls that exist, each once', () => {
    const text = withoutNames(readFileSync(join(root, 'docs/console.md'), 'utf8'));
    const { composition } = service();
    const calls = consoleRoutes(composition).map(({ method, path }) => withoutNames(`${method} ${path}`));
    const rows = text.slice(text.indexOf('| Call |'), text.indexOf('## In your own app'));
    const named = [...rows.matchAll(/`([A-Z]+) (\/\S+)`/g)].map(
      ([, method, path]) => `${method} /api/admin${path}`,
    );
    expect(named).to.have.length.above(30);
    expect(named.filter((call) => !calls.includes(call))).to.deep.equal([]);
    expect(new Set(named).size).to.equal(named.length);
  });

  it('names every call of the console', () => {
    const text = withoutNames(readFileSync(join(root, 'docs/console.md'), 'utf8'));
    const named = [...text.matchAll(/`([A-Z]+ \/\S+)`/g)].map(([, call]) => call);
    const { composition } = service();
    for (const { method, path } of consoleRoutes(composition))
      expect(named).to.include(withoutNames(`${method} ${path.replace('/api/admin', '')}`));
  });
});
