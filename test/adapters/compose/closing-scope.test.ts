import { expect } from 'chai';
import { withClosingScope } from '../../../adapters/compose/open-resources.ts';
import { rejectionOf } from '../../contracts/rejection.ts';

describe('Resources in a closing scope', () => {
  const closed: string[] = [];
  beforeEach(() => closed.splice(0));

  const resource = (name: string, failure?: Error) => ({
    close: async () => {
      closed.push(name);
      if (failure !== undefined) throw failure;
    },
  });

  it('are closed once in reverse order, even if one fails to close', async () => {
    const [first, second] = [new Error('first'), new Error('second')];
    const closeAll = await withClosingScope(async (scope) => {
      for (const each of [resource('a', second), resource('b'), {}, resource('c', first), resource('d')])
        scope.track(each);
      return scope.closeAll;
    });
    expect(await rejectionOf(closeAll)).to.equal(first);
    expect(closed).to.deep.equal(['d', 'c', 'b', 'a']);
    await closeAll();
    expect(closed).to.have.length(4);
  });

  it('are closed if the next one fails to open, and its error is kept', async () => {
    const refusal = new Error('no disk');
    const opening = withClosingScope(async ({ track }) => {
      track(resource('a'));
      track(resource('b', new Error('busy')));
      throw refusal;
    });
    expect(await rejectionOf(() => opening)).to.equal(refusal);
    expect(closed).to.deep.equal(['b', 'a']);
  });
});
